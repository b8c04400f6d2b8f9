// The generator and the runtime of Go code, at the version that the tests generate the contract's Go code with.
module generated

go 1.18

require google.golang.org/protobuf v1.33.0
