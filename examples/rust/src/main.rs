//! A small Battlesnake that leaves the search to the searcher.

use std::{env, error::Error, time::Duration};

use axum::{Json, Router, extract::State, http::StatusCode, routing};
use search::search_service_client::SearchServiceClient;
use search::{Direction, ListStrategiesRequest, Point, Position, SearchResult, StreamSearchRequest};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep, timeout_at};
use tonic::{Code, Request, Status, metadata::AsciiMetadataValue, transport::Channel};

#[allow(clippy::all)]
mod search {
    tonic::include_proto!("battlesnake.search.v1");
}

/// The part of the game's timeout that is left to the network.
const MARGIN: Duration = Duration::from_millis(100);
const RULESETS: &str = "standard solo royale constrictor wrapped wrapped_constrictor";

#[derive(Clone)]
struct Searcher {
    client: SearchServiceClient<Channel>,
    token: Option<AsciiMetadataValue>,
}

impl Searcher {
    /// Makes a call before the first move, because the first call on a channel is slow.
    async fn connect(mut self) {
        if let Err(status) = self.client.list_strategies(self.request(ListStrategiesRequest {})).await {
            eprintln!("searcher: {:?}: {}", status.code(), status.message());
        }
    }

    /// Returns the best result that arrives before the deadline, or why there is none.
    async fn search(&mut self, position: &Position, deadline: Instant) -> Result<SearchResult, Status> {
        let message = StreamSearchRequest { position: Some(position.clone()), ..Default::default() };
        let mut best = None;
        let mut reason = Status::deadline_exceeded("no result in time");
        let calls = async {
            let mut responses = loop {
                let mut request = self.request(message.clone());
                request.set_timeout(deadline - Instant::now());
                match self.client.stream_search(request).await {
                    Ok(response) => break response.into_inner(),
                    // tonic does not wait for a connection: while there is none, call again.
                    Err(status) if status.code() == Code::Unavailable => reason = status,
                    Err(status) => return Err(status),
                }
                sleep(Duration::from_millis(20)).await;
            };
            while let Some(response) = responses.message().await? {
                best = response.result;
            }
            Ok(())
        };
        if let Ok(Err(status)) = timeout_at(deadline, calls).await {
            reason = status;
        }
        best.ok_or(reason)
    }

    fn request<T>(&self, message: T) -> Request<T> {
        let mut request = Request::new(message);
        if let Some(token) = &self.token {
            request.metadata_mut().insert("authorization", token.clone());
        }
        request
    }
}

/// Translates a /move body; docs/clients.md has the table.
fn translate(body: &Value) -> serde_json::Result<Position> {
    let game = &body["game"];
    let mut position = Position::deserialize(body)?;
    let mut ruleset = search::Ruleset::deserialize(&game["ruleset"])?;
    if !RULESETS.split(' ').any(|name| name == ruleset.name) {
        ruleset.name = "standard".to_owned();
    }
    let shrink = &game["ruleset"]["settings"]["royale"]["shrinkEveryNTurns"];
    let settings = ruleset.settings.get_or_insert_default();
    settings.shrink_every_n_turns = shrink.as_i64().unwrap_or_default() as i32;
    ruleset.map = game["map"].as_str().unwrap_or_default().to_owned();
    position.game_id = game["id"].as_str().unwrap_or_default().to_owned();
    position.you_id = body["you"]["id"].as_str().unwrap_or_default().to_owned();
    position.ruleset = Some(ruleset);
    Ok(position)
}

/// Returns a move that stays on the board and hits no body, if there is one.
fn fallback(position: &Position) -> Option<Direction> {
    let board = position.board.as_ref()?;
    let wrapped = position.ruleset.as_ref()?.name.starts_with("wrapped");
    let head = board.snakes.iter().find(|snake| snake.id == position.you_id)?.body.first()?;
    let free = |x: i32, y: i32| {
        let (x, y) = if wrapped { (x.rem_euclid(board.width), y.rem_euclid(board.height)) } else { (x, y) };
        // The last part of a body is its tail, which moves on.
        let mut parts = board.snakes.iter().flat_map(|snake| snake.body.iter().rev().skip(1));
        (0..board.width).contains(&x) && (0..board.height).contains(&y) && !parts.any(|part| *part == Point { x, y })
    };
    let steps = [(Direction::Up, 0, 1), (Direction::Down, 0, -1), (Direction::Left, -1, 0), (Direction::Right, 1, 0)];
    steps.iter().find(|(_, x, y)| free(head.x + x, head.y + y)).map(|step| step.0)
}

async fn answer(State(mut searcher): State<Searcher>, body: String) -> Result<Json<Value>, (StatusCode, String)> {
    let arrival = Instant::now();
    let invalid = |error: serde_json::Error| (StatusCode::BAD_REQUEST, error.to_string());
    let body: Value = serde_json::from_str(&body).map_err(invalid)?;
    let position = translate(&body).map_err(invalid)?;
    let timeout = Duration::from_millis(body["game"]["timeout"].as_u64().unwrap_or(500));
    let (direction, source) = match searcher.search(&position, arrival + timeout.saturating_sub(MARGIN)).await {
        Ok(result) => (result.r#move(), format!("search, depth {}", result.depth)),
        Err(status) => {
            eprintln!("search: {:?}: {}", status.code(), status.message());
            (fallback(&position).unwrap_or(Direction::Up), "fallback".to_owned())
        }
    };
    let name = direction.as_str_name().trim_start_matches("DIRECTION_").to_lowercase();
    eprintln!("move: {name} ({source})");
    Ok(Json(json!({ "move": name })))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let address = env::var("SEARCHER").unwrap_or("localhost:50051".to_owned());
    let port: u16 = env::var("PORT").unwrap_or("8080".to_owned()).parse()?;
    let searcher = Searcher {
        client: SearchServiceClient::new(Channel::from_shared(format!("http://{address}"))?.connect_lazy()),
        token: env::var("SEARCHER_TOKEN").ok().map(|token| format!("Bearer {token}").parse()).transpose()?,
    };
    tokio::spawn(searcher.clone().connect());
    let looks = json!({"apiversion": "1", "author": "me", "color": "#b7410e"});
    let app = Router::new()
        .route("/", routing::get(|| async { Json(looks) }))
        .route("/start", routing::post(|| async {}))
        .route("/move", routing::post(answer))
        .route("/end", routing::post(|| async {}))
        .with_state(searcher);
    let listener = tokio::net::TcpListener::bind(("0.0.0.0", port)).await?;
    Ok(axum::serve(listener, app).await?)
}
