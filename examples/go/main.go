// A Battlesnake that answers the engine itself and leaves the search to a searcher.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/encoding/protojson"

	searchv1 "example.com/bot/battlesnake/search/v1"
)

//go:generate buf generate

const margin = 100 * time.Millisecond // what the network takes of a move's time

var (
	conn     *grpc.ClientConn
	rulesets = []string{"standard", "solo", "royale", "constrictor", "wrapped", "wrapped_constrictor"}
	steps    = map[searchv1.Direction][2]int32{
		searchv1.Direction_DIRECTION_UP:    {0, 1},
		searchv1.Direction_DIRECTION_DOWN:  {0, -1},
		searchv1.Direction_DIRECTION_LEFT:  {-1, 0},
		searchv1.Direction_DIRECTION_RIGHT: {1, 0},
	}
)

// body is what a search needs of the body of a /move request.
type body struct {
	Game struct {
		ID, Map string
		Timeout int64
		Ruleset struct {
			Name     string
			Settings struct {
				FoodSpawnChance, MinimumFood, HazardDamagePerTurn int32
				Royale                                            struct{ ShrinkEveryNTurns int32 }
			}
		}
	}
	Turn  int32
	You   struct{ ID string }
	Board json.RawMessage
}

// position translates the body. A board has the same names in both.
func (b *body) position() (*searchv1.Position, error) {
	name, settings := b.Game.Ruleset.Name, b.Game.Ruleset.Settings
	if !slices.Contains(rulesets, name) {
		name = "standard" // as the official engine plays it
	}
	position := &searchv1.Position{GameId: b.Game.ID, Turn: b.Turn, YouId: b.You.ID, Board: &searchv1.Board{}}
	position.Ruleset = &searchv1.Ruleset{Name: name, Map: b.Game.Map, Settings: &searchv1.RulesetSettings{
		FoodSpawnChance: settings.FoodSpawnChance, MinimumFood: settings.MinimumFood,
		HazardDamagePerTurn: settings.HazardDamagePerTurn, ShrinkEveryNTurns: settings.Royale.ShrinkEveryNTurns,
	}}
	return position, protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(b.Board, position.Board)
}

// search returns the best result that arrives before the deadline, nil if none does, and how the stream ended.
func search(ctx context.Context, position *searchv1.Position) (best *searchv1.SearchResult, err error) {
	if token := os.Getenv("SEARCHER_TOKEN"); token != "" {
		ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+token)
	}
	conn.ResetConnectBackoff() // or a searcher that was away is found minutes later
	request := &searchv1.StreamSearchRequest{Position: position}
	stream, err := searchv1.NewSearchServiceClient(conn).StreamSearch(ctx, request, grpc.WaitForReady(true))
	for err == nil {
		var response *searchv1.StreamSearchResponse
		if response, err = stream.Recv(); err == nil {
			best = response.Result
		}
	}
	return best, err
}

// fallback returns a move that stays on the board and hits no body; up if there is none.
func fallback(position *searchv1.Position) searchv1.Direction {
	board, head, taken := position.Board, &searchv1.Point{}, map[[2]int32]bool{}
	for _, snake := range board.Snakes {
		if snake.Id == position.YouId {
			head = snake.Body[0]
		}
		for _, part := range snake.Body[:len(snake.Body)-1] { // without the tail, which moves on
			taken[[2]int32{part.X, part.Y}] = true
		}
	}
	for direction, step := range steps {
		x, y := head.X+step[0], head.Y+step[1]
		if strings.HasPrefix(position.Ruleset.Name, "wrapped") {
			x, y = (x+board.Width)%board.Width, (y+board.Height)%board.Height
		}
		if 0 <= x && x < board.Width && 0 <= y && y < board.Height && !taken[[2]int32{x, y}] {
			return direction
		}
	}
	return searchv1.Direction_DIRECTION_UP
}

func move(w http.ResponseWriter, r *http.Request) {
	start, b := time.Now(), body{}
	invalid := json.NewDecoder(r.Body).Decode(&b)
	position, err := b.position()
	if err = cmp.Or(invalid, err); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	ctx, cancel := context.WithDeadline(r.Context(), start.Add(time.Duration(b.Game.Timeout)*time.Millisecond-margin))
	defer cancel()
	direction, source := fallback(position), "fallback"
	if result, err := search(ctx, position); result != nil {
		direction, source = result.Move, fmt.Sprintf("search, depth %d", result.Depth)
	} else {
		log.Print("search: ", err)
	}
	name := strings.ToLower(strings.TrimPrefix(direction.String(), "DIRECTION_"))
	log.Printf("move: %s (%s)", name, source)
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"move": %q}`, name)
}

func main() {
	log.SetFlags(0)
	var err error
	target := cmp.Or(os.Getenv("SEARCHER"), "localhost:50051")
	if conn, err = grpc.NewClient(target, grpc.WithTransportCredentials(insecure.NewCredentials())); err != nil {
		log.Fatal(err)
	}
	conn.Connect() // now, and not with the first move
	http.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"apiversion": "1", "color": "#2f6f4e", "head": "safe", "tail": "bolt"}`)
	})
	http.HandleFunc("POST /move", move)
	http.HandleFunc("POST /start", func(http.ResponseWriter, *http.Request) {})
	http.HandleFunc("POST /end", func(http.ResponseWriter, *http.Request) {})
	log.Fatal(http.ListenAndServe(":"+cmp.Or(os.Getenv("PORT"), "8080"), nil))
}
