// The official Battlesnake engine at the version that the tests play against; built by ../official.py.
module engine

go 1.18

require (
	github.com/BattlesnakeOfficial/rules v1.2.3
	github.com/fsnotify/fsnotify v1.4.7
	github.com/google/uuid v1.1.2
	github.com/gorilla/websocket v1.4.2
	github.com/hashicorp/hcl v1.0.0
	github.com/inconshreveable/mousetrap v1.0.0
	github.com/magiconair/properties v1.8.1
	github.com/mitchellh/go-homedir v1.1.0
	github.com/mitchellh/mapstructure v1.1.2
	github.com/pelletier/go-toml v1.2.0
	github.com/pkg/browser v0.0.0-20210911075715-681adbf594b8
	github.com/rs/cors v1.8.2
	github.com/spf13/afero v1.1.2
	github.com/spf13/cast v1.3.0
	github.com/spf13/cobra v1.1.1
	github.com/spf13/jwalterweatherman v1.1.0
	github.com/spf13/pflag v1.0.5
	github.com/spf13/viper v1.7.1
	github.com/subosito/gotenv v1.2.0
	golang.org/x/sys v0.0.0-20220422013727-9388b58f7150
	golang.org/x/text v0.3.2
	gopkg.in/ini.v1 v1.51.0
	gopkg.in/yaml.v2 v2.2.8
)
