import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.*;

import com.battlesnake.search.v1.*;
import com.google.gson.*;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import com.sun.net.httpserver.*;
import io.grpc.*;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.*;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/** A small Battlesnake that leaves the search to the searcher. */
public final class Bot {
    private static final int MARGIN = 100; // the milliseconds of the game's timeout that are left to the network
    private static final Set<String> RULESETS =
            Set.of("standard", "solo", "royale", "constrictor", "wrapped", "wrapped_constrictor");
    private static final String LOOKS = "{\"apiversion\": \"1\", \"author\": \"me\", \"color\": \"#5382a1\"}";
    private static final JsonFormat.Parser JSON = JsonFormat.parser().ignoringUnknownFields();

    private static final String BODY = """
            {"game": {"id": "", "map": "", "ruleset": {"settings": {"royale": {}}}}, "you": {"id": ""},
             "turn": 1, "board": {"width": 1, "snakes": [{"id": "", "body": [{"x": 1}]}]}}""";

    private final ManagedChannel channel;
    private final SearchServiceGrpc.SearchServiceBlockingStub searcher;

    private Bot(String address, String token) {
        Metadata headers = new Metadata();
        if (token != null) {
            headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
        }
        channel = ManagedChannelBuilder.forTarget(address).usePlaintext().build();
        searcher = SearchServiceGrpc.newBlockingStub(channel).withWaitForReady()
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    private String move(String text, Deadline arrival) throws InvalidProtocolBufferException {
        JsonObject body = JsonParser.parseString(text).getAsJsonObject();
        Position position = translate(body);
        long time = body.getAsJsonObject("game").get("timeout").getAsLong() - MARGIN;
        SearchResult result = search(position, arrival.offset(time, MILLISECONDS));
        Direction direction = result == null ? fallback(position) : result.getMove();
        String name = direction.name().replace("DIRECTION_", "").toLowerCase(Locale.ROOT);
        String source = result == null ? "fallback" : "search, depth " + result.getDepth();
        System.err.println("move: " + name + " (" + source + ")");
        return "{\"move\": \"" + name + "\"}";
    }

    /** Returns the best result that arrives before the deadline, null if none does. */
    private SearchResult search(Position position, Deadline deadline) {
        StreamSearchRequest request = StreamSearchRequest.newBuilder().setPosition(position).build();
        SearchResult best = null;
        channel.resetConnectBackoff(); // If the searcher was away, connect now.
        while (true) {
            try {
                var responses = searcher.withDeadline(deadline).streamSearch(request);
                while (responses.hasNext()) {
                    best = responses.next().getResult();
                }
                return best;
            } catch (StatusRuntimeException error) {
                if (best != null || error.getStatus().getCode() != Status.Code.UNAVAILABLE) {
                    System.err.println("search: " + error.getMessage().lines().findFirst().get());
                    return best;
                }
                LockSupport.parkNanos(20_000_000); // The searcher starts or drains: call again.
            }
        }
    }

    /** Translates a /move body; docs/clients.md has the table. */
    private static Position translate(JsonObject body) throws InvalidProtocolBufferException {
        JsonObject game = body.getAsJsonObject("game");
        JsonObject settings = game.getAsJsonObject("ruleset").getAsJsonObject("settings");
        Position.Builder position = Position.newBuilder();
        JSON.merge(body.toString(), position); // the turn and the board: their fields have the same names
        Ruleset.Builder ruleset = position.getRulesetBuilder().setMap(game.get("map").getAsString());
        JSON.merge(game.get("ruleset").toString(), ruleset); // its name and all settings but one
        JSON.merge(settings.get("royale").toString(), ruleset.getSettingsBuilder()); // that one
        ruleset.setName(RULESETS.contains(ruleset.getName()) ? ruleset.getName() : "standard");
        String you = body.getAsJsonObject("you").get("id").getAsString();
        return position.setGameId(game.get("id").getAsString()).setYouId(you).build();
    }

    /** Returns a move that stays on the board and hits no body; up if there is none. */
    private static Direction fallback(Position position) {
        int width = position.getBoard().getWidth(), height = position.getBoard().getHeight();
        boolean wrapped = position.getRuleset().getName().startsWith("wrapped");
        Point head = null;
        Set<Point> taken = new HashSet<>();
        for (Snake snake : position.getBoard().getSnakesList()) {
            head = snake.getId().equals(position.getYouId()) ? snake.getBody(0) : head;
            taken.addAll(snake.getBodyList().subList(0, snake.getBodyCount() - 1)); // The tail moves on.
        }
        int[][] steps = {{0, 1}, {0, -1}, {-1, 0}, {1, 0}}; // in the order of Direction's numbers, from 1
        for (int i = 0; i < steps.length; i++) {
            int x = head.getX() + steps[i][0], y = head.getY() + steps[i][1];
            Point next = Point.newBuilder().setX(Math.floorMod(x, width)).setY(Math.floorMod(y, height)).build();
            if ((wrapped || (next.getX() == x && next.getY() == y)) && !taken.contains(next)) {
                return Direction.forNumber(i + 1);
            }
        }
        return Direction.DIRECTION_UP;
    }

    private void handle(HttpExchange exchange) throws IOException {
        Deadline arrival = Deadline.after(0, MILLISECONDS);
        String text = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        String path = exchange.getRequestURI().getPath();
        int status = 200;
        String answer = path.equals("/") ? LOOKS : "{}";
        try {
            answer = path.equals("/move") ? move(text, arrival) : answer;
        } catch (RuntimeException | InvalidProtocolBufferException error) {
            error.printStackTrace();
            status = 400;
        }
        exchange.getResponseHeaders().set("content-type", "application/json");
        exchange.sendResponseHeaders(status, answer.length());
        exchange.getResponseBody().write(answer.getBytes(UTF_8));
        exchange.close();
    }

    public static void main(String[] arguments) throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true"); // Otherwise an answer may take 40 ms.
        var env = System.getenv();
        Bot bot = new Bot(env.getOrDefault("SEARCHER", "localhost:50051"), env.get("SEARCHER_TOKEN"));
        var server = HttpServer.create(new InetSocketAddress(Integer.parseInt(env.getOrDefault("PORT", "8080"))), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", bot::handle);
        // The first call is slow, and so is the first use of much code: before the first move, therefore.
        translate(JsonParser.parseString(BODY).getAsJsonObject());
        try {
            bot.searcher.withDeadlineAfter(1, SECONDS).listStrategies(ListStrategiesRequest.getDefaultInstance());
        } catch (StatusRuntimeException error) {
            System.err.println("searcher: " + error.getStatus().getCode());
        }
        server.start();
    }
}
