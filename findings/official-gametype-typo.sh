#!/usr/bin/env bash
# BattlesnakeOfficial/rules v1.2.3 (Go), the official engine of Battlesnake.
#
# An unknown map is an error, but an unknown ruleset is played by the standard rules, without a word. Names
# that other servers use are unknown too: "wrapped-constrictor" with a hyphen, "Royale" with a capital letter,
# and "squad", which former versions had. The requests then name the ruleset standard.
# Seen: wrapped-constrictor, Royale, squad: standard; wrapped_constrictor: itself; map "Royale": an error
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export GOFLAGS=-mod=mod
go mod init probe 2>/dev/null
go get github.com/BattlesnakeOfficial/rules@v1.2.3 2>/dev/null
cat > main.go <<'G'
package main

import (
	"fmt"
	"os"

	"github.com/BattlesnakeOfficial/rules"
	"github.com/BattlesnakeOfficial/rules/maps"
)

func main() {
	fmt.Println("BattlesnakeOfficial/rules v1.2.3")
	changed := false
	for _, name := range []string{"wrapped-constrictor", "Royale", "squad", "wrapped_constrictor"} {
		played := rules.NewRulesetBuilder().NamedRuleset(name).Name()
		fmt.Printf("ruleset %s: played as %s\n", name, played)
		changed = changed || (played == "standard") != (name != "wrapped_constrictor")
	}
	_, err := maps.GetMap("Royale")
	fmt.Println("map Royale:", err)
	if changed || err == nil {
		os.Exit(1)
	}
}
G
go run .
