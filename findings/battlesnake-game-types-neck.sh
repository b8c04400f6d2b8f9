#!/usr/bin/env bash
# battlesnake-game-types 0.17.0 (a Rust crate), the fast boards of many Battlesnakes written in Rust.
#
# By the official rules, a snake that dies of a collision still blocks others in that turn. The crate removes a
# snake that turns back into its own neck before the collisions, so that another head passes through its body.
# With a snake that dies in its body's side instead of its neck, the other head dies, as by the official rules.
# Seen: "a" moves into its neck, "b" into a's body: b lives (official: both die)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir src
cat > Cargo.toml <<'T'
[package]
name = "probe"
version = "0.0.0"
edition = "2021"

[dependencies]
battlesnake-game-types = "=0.17.0"
serde_json = "=1.0.140"
T
cat > src/main.rs <<'R'
use battlesnake_game_types::compact_representation::standard::CellBoard4Snakes11x11;
use battlesnake_game_types::types::*;
use battlesnake_game_types::wire_representation::Game;
use serde_json::json;
use std::time::Duration;

#[derive(Debug)]
struct Silent;
impl SimulatorInstruments for Silent {
    fn observe_simulation(&self, _: Duration) {}
}

fn snake(id: &str, cells: &[(i32, i32)]) -> serde_json::Value {
    let body: Vec<_> = cells.iter().map(|(x, y)| json!({"x": x, "y": y})).collect();
    json!({"id": id, "name": id, "health": 90, "body": body, "head": body[0], "length": cells.len(),
           "latency": "0", "shout": "", "squad": ""})
}

/// The healths of "a" and "b" after a turn in which b moves right, onto a cell of a's body.
fn after(a: Move) -> (i64, i64) {
    // The body of a is a loop, so that its head can hit its neck (left) or its side (down).
    let you = snake("a", &[(5, 5), (4, 5), (4, 4), (4, 3), (5, 3), (5, 4), (6, 4), (6, 3)]);
    let settings = json!({"foodSpawnChance": 15, "minimumFood": 1, "hazardDamagePerTurn": 14});
    let text = json!({
        "game": {"id": "g", "timeout": 500, "source": "", "map": "standard",
                 "ruleset": {"name": "standard", "version": "cli", "settings": settings}},
        "turn": 30, "you": you,
        "board": {"height": 11, "width": 11, "food": [], "hazards": [],
                  "snakes": [you, snake("b", &[(3, 4), (2, 4), (1, 4)])]},
    });
    let game: Game = serde_json::from_value(text).unwrap();
    let ids = build_snake_id_map(&game);
    let board = CellBoard4Snakes11x11::convert_from_game(game, &ids).unwrap();
    let moves = vec![(ids["a"], vec![a]), (ids["b"], vec![Move::Right])];
    let (_, next) = board.simulate_with_moves(&Silent, moves).next().unwrap();
    (next.get_health_i64(&ids["a"]), next.get_health_i64(&ids["b"]))
}

fn main() {
    let (neck, side) = (after(Move::Left), after(Move::Down));
    println!("battlesnake-game-types 0.17.0, healths of a and b:");
    println!("a into its side, b into a's body: {side:?} (official: both die)");
    println!("a into its neck, b into a's body: {neck:?} (official: both die)");
    std::process::exit(((side, neck) != ((0, 0), (0, 89))) as i32);
}
R
cargo run --quiet
