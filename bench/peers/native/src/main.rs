//! Histories and snapshots from a database of Tenor, on one thread: a check of the token, the best
//! statement, prepared once, and its text. The arguments are the database, the port and the token.

use std::sync::{Arc, Mutex};

use axum::extract::{Query, State};
use axum::http::header::{AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Router, routing::get};
use rusqlite::{Connection, OpenFlags, ToSql};
use serde::Deserialize;

const HISTORY: &str = "SELECT string_agg(record, ',') FROM (SELECT record FROM quotes_now
    WHERE symbol_key = ? AND date BETWEEN ? AND ? ORDER BY date DESC, symbol LIMIT 100)";
const SNAPSHOT: &str = "SELECT string_agg(record, ',') FROM (SELECT record FROM quotes_now
    WHERE date = ? ORDER BY symbol LIMIT ?)";

struct Service {
    database: Mutex<Connection>,
    authorization: String,
}

#[derive(Deserialize)]
struct History {
    symbol: String,
    from: String,
    to: String,
}

#[derive(Deserialize)]
struct Snapshot {
    date: String,
    limit: u32,
}

async fn history(
    State(service): State<Arc<Service>>,
    headers: HeaderMap,
    Query(query): Query<History>,
) -> Response {
    service.respond(&headers, HISTORY, &[&query.symbol, &query.from, &query.to])
}

async fn snapshot(
    State(service): State<Arc<Service>>,
    headers: HeaderMap,
    Query(query): Query<Snapshot>,
) -> Response {
    service.respond(&headers, SNAPSHOT, &[&query.date, &query.limit])
}

impl Service {
    fn respond(&self, headers: &HeaderMap, sql: &str, values: &[&dyn ToSql]) -> Response {
        let sent = headers.get(AUTHORIZATION).map(|value| value.as_bytes());
        if sent != Some(self.authorization.as_bytes()) {
            return StatusCode::UNAUTHORIZED.into_response();
        }
        match self.read(sql, values) {
            Ok(body) => (
                [(CONTENT_TYPE, "application/json; charset=utf-8"), (CACHE_CONTROL, "private, no-cache")],
                body,
            )
                .into_response(),
            Err(cause) => (StatusCode::INTERNAL_SERVER_ERROR, cause.to_string()).into_response(),
        }
    }

    fn read(&self, sql: &str, values: &[&dyn ToSql]) -> rusqlite::Result<String> {
        let database = self.database.lock().expect("one thread locks it");
        database.prepare_cached(sql)?.query_row(values, |row| {
            Ok(format!("[{}]", row.get_ref(0)?.as_str_or_null()?.unwrap_or("")))
        })
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let [database, port, token]: [String; 3] =
        std::env::args().skip(1).collect::<Vec<_>>().try_into().expect("three arguments");
    let database = Connection::open_with_flags(database, OpenFlags::SQLITE_OPEN_READ_ONLY)
        .expect("a database");
    let service = Service { database: Mutex::new(database), authorization: format!("Bearer {token}") };
    let router = Router::new()
        .route("/history", get(history))
        .route("/snapshot", get(snapshot))
        .with_state(Arc::new(service));
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{port}")).await.expect("a port");
    axum::serve(listener, router).await.expect("connections");
}
