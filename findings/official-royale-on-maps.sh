#!/usr/bin/env bash
# BattlesnakeOfficial/rules v1.2.3 (Go), the official engine of Battlesnake.
#
# The ruleset royale lists its closed sides anew in every turn, and then the map changes that list. So a map
# with hazards of its own opens sides for a turn: the pits replace the sides, a healing pool takes a cell of
# them, and on snail_mode, where each hazard fades by a layer a turn, no side is ever closed.
# Seen: hazards on the board after turns 3 to 10 with a step every 3 turns (11x11, seed 5)
#   empty           11 11 11 21 21 21 31 31
#   hz_hazard_pits  11 21 11 21 42 21 31 63
#   healing_pools   11 10 11 21 20 21 31 30
#   snail_mode       0  0  0  0  0  0  0  0
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

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// hazards returns the numbers of hazards on the board after each turn of two snakes that go in circles.
func hazards(name string) []int {
	ruleset := rules.NewRulesetBuilder().WithSeed(5).WithParams(map[string]string{
		"shrinkEveryNTurns": "3", "damagePerTurn": "0",
	}).NamedRuleset("royale")
	gameMap, err := maps.GetMap(name)
	check(err)
	board, err := maps.SetupBoard(name, ruleset.Settings(), 11, 11, []string{"a", "b"})
	check(err)
	counts := []int{}
	for turn := 0; turn < 10; turn++ {
		moves := []rules.SnakeMove{}
		for _, snake := range board.Snakes {
			move := []string{"up", "left", "down", "right"}[turn%4]
			if snake.Body[0].Y > 5 && turn%2 == 0 {
				move = map[string]string{"up": "down", "down": "up"}[move]
			}
			if start := snake.Body[len(snake.Body)-1]; turn%2 == 1 && start.X < 3 {
				move = map[string]string{"left": "right", "right": "left"}[move]
			}
			moves = append(moves, rules.SnakeMove{ID: snake.ID, Move: move})
		}
		_, board, err = ruleset.Execute(board, moves)
		check(err)
		board, err = maps.PostUpdateBoard(gameMap, board, ruleset.Settings())
		check(err)
		board.Turn++
		count := 0
		for _, hazard := range board.Hazards {
			if hazard.Y < board.Height {
				count++
			}
		}
		if turn >= 2 {
			counts = append(counts, count)
		}
	}
	return counts
}

func main() {
	fmt.Println("BattlesnakeOfficial/rules v1.2.3")
	seen := map[string][]int{}
	for _, name := range []string{"empty", "hz_hazard_pits", "healing_pools", "snail_mode"} {
		seen[name] = hazards(name)
		fmt.Println(name, seen[name])
	}
	for turn, closed := range seen["empty"] {
		pool := closed
		if turn%3 == 1 {
			pool--
		}
		if closed == 0 || seen["snail_mode"][turn] != 0 || seen["healing_pools"][turn] != pool {
			os.Exit(1)
		}
	}
	if seen["hz_hazard_pits"][1] == seen["empty"][1] || seen["hz_hazard_pits"][2] != seen["empty"][2] {
		os.Exit(1)
	}
}
G
go run .
