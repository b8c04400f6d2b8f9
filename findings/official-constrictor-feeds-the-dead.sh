#!/usr/bin/env bash
# BattlesnakeOfficial/rules v1.2.3 (Go), the official engine of Battlesnake.
#
# Every other stage of a turn skips the dead, but the last stage of constrictor sets the health of all snakes
# to 100 and lets them grow. So the /end tells a dead snake that it has full health and one part more than
# at its death, also if hazards took its last health.
# Seen: standard: out at health 49, length 3; constrictor: out at health 100, length 4
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
)

// wall plays a turn in which the first of two snakes leaves the board, and returns that snake.
func wall(name string) rules.Snake {
	body := func(x, y int) []rules.Point { return []rules.Point{{X: x, Y: y}, {X: x, Y: y - 1}, {X: x, Y: y - 2}} }
	board := &rules.BoardState{
		Width: 7, Height: 7, Turn: 9,
		Snakes: []rules.Snake{{ID: "out", Body: body(1, 6), Health: 50}, {ID: "in", Body: body(5, 4), Health: 50}},
	}
	ruleset := rules.NewRulesetBuilder().WithParams(map[string]string{}).NamedRuleset(name)
	_, next, err := ruleset.Execute(board, []rules.SnakeMove{{ID: "out", Move: "up"}, {ID: "in", Move: "up"}})
	if err != nil {
		panic(err)
	}
	return next.Snakes[0]
}

func main() {
	plain, grown := wall("standard"), wall("constrictor")
	fmt.Println("BattlesnakeOfficial/rules v1.2.3")
	for name, snake := range map[string]rules.Snake{"standard": plain, "constrictor": grown} {
		fmt.Printf("%s: %s (%s) at health %d, length %d\n", name, snake.ID, snake.EliminatedCause, snake.Health, len(snake.Body))
	}
	if plain.Health != 49 || len(plain.Body) != 3 || grown.EliminatedCause == "" || grown.Health != 100 || len(grown.Body) != 4 {
		os.Exit(1)
	}
}
G
go run .
