#!/usr/bin/env bash
# BattlesnakeOfficial/rules v1.2.3 (Go), the official engine of Battlesnake.
#
# 0 is not a seed: with it the engine draws from the global generator. The map royale draws all closed sides
# anew in each turn and relies on the seed to repeat them, so that with seed 0 the hazards jump from side to
# side in every turn, and a snake may stand in hazards that opened and closed under it.
# Seen: in 20 turns between two steps, seed 1: 1 set of hazards; seed 0: several sets
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

// sets returns the number of different hazards in the turns after the second step and before the third.
func sets(seed int64) int {
	settings := rules.NewSettings(map[string]string{"shrinkEveryNTurns": "21"}).WithSeed(seed)
	gameMap, err := maps.GetMap("royale")
	if err != nil {
		panic(err)
	}
	board, err := maps.SetupBoard("royale", settings, 11, 11, []string{"a", "b"})
	if err != nil {
		panic(err)
	}
	found := map[string]bool{}
	for board.Turn = 42; board.Turn < 62; board.Turn++ {
		if board, err = maps.PostUpdateBoard(gameMap, board, settings); err != nil {
			panic(err)
		}
		found[fmt.Sprint(board.Hazards)] = true
	}
	return len(found)
}

func main() {
	one, zero := sets(1), sets(0)
	fmt.Println("BattlesnakeOfficial/rules v1.2.3")
	fmt.Printf("sets of hazards in 20 turns without a step: seed 1: %d; seed 0: %d\n", one, zero)
	if one != 1 || zero < 2 {
		os.Exit(1)
	}
}
G
go run .
