//! Generates the client from the contract. protox reads the proto, so no protoc is needed.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let protos = std::env::var("PROTOS").unwrap_or("../../protos".to_owned());
    let contract = format!("{protos}/battlesnake/search/v1/search.proto");
    println!("cargo::rerun-if-env-changed=PROTOS");
    println!("cargo::rerun-if-changed={contract}");
    let mut builder = tonic_prost_build::configure().build_server(false);
    // A /move body names most fields of these messages as protobuf's JSON does.
    for message in ["Position", "Ruleset", "RulesetSettings", "Board", "Snake", "Point"] {
        let attribute = "#[derive(serde::Deserialize)] #[serde(default, rename_all = \"camelCase\")]";
        builder = builder.type_attribute(format!("battlesnake.search.v1.{message}"), attribute);
    }
    Ok(builder.compile_fds(protox::compile([contract], [protos])?)?)
}
