#!/usr/bin/env bash
# battlesnake-game-types 0.17.0 (a Rust crate), the fast boards of many Battlesnakes written in Rust.
#
# A cell that `hazards` lists twice has two layers, and by the official rules each layer does its damage. The
# crate's compact board has one bit for hazards, so a simulated move costs one layer, however deep the cell is.
# The official maps hz_hazard_pits, sinkholes, snail_mode and hz_castle_wall stack layers.
# Seen: health 100 onto 4 layers of damage 14: 85 (official: 43); health 40 onto 4 layers: alive with 25 (official: dead)
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

fn snake(id: &str, health: i32, x: i32) -> serde_json::Value {
    let body = json!([{"x": x, "y": 5}, {"x": x, "y": 4}, {"x": x, "y": 3}]);
    json!({"id": id, "name": id, "health": health, "body": body, "head": {"x": x, "y": 5}, "length": 3,
           "latency": "0", "shout": "", "squad": ""})
}

fn after(health: i32, layers: usize) -> u8 {
    let hazards = vec![json!({"x": 2, "y": 6}); layers];
    let you = snake("a", health, 2);
    let settings = json!({"foodSpawnChance": 15, "minimumFood": 1, "hazardDamagePerTurn": 14});
    let text = json!({
        "game": {"id": "g", "timeout": 500, "source": "", "map": "sinkholes",
                 "ruleset": {"name": "standard", "version": "cli", "settings": settings}},
        "turn": 30, "you": you,
        "board": {"height": 11, "width": 11, "food": [], "hazards": hazards,
                  "snakes": [you, snake("b", 90, 8)]},
    });
    let game: Game = serde_json::from_value(text).unwrap();
    let ids = build_snake_id_map(&game);
    let board = CellBoard4Snakes11x11::convert_from_game(game, &ids).unwrap();
    let moves = vec![(ids["a"], vec![Move::Up]), (ids["b"], vec![Move::Up])];
    let (_, next) = board.simulate_with_moves(&Silent, moves).next().unwrap();
    next.get_health_i64(&ids["a"]) as u8
}

fn main() {
    let (full, low, one) = (after(100, 4), after(40, 4), after(100, 1));
    println!("battlesnake-game-types 0.17.0");
    println!("health 100 onto 1 layer of damage 14: {one}; onto 4 layers: {full} (official: 43)");
    println!("health 40 onto 4 layers: {low} (official: 0, dead)");
    std::process::exit(((one, full, low) != (85, 85, 25)) as i32);
}
R
cargo run --quiet
