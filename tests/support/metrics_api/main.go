// Asks the endpoints of a Service once, as KEDA's operator does for a trigger of the type metrics-api.
//
// The standard input has what the operator knows, as JSON. The output is the value of the metric, and whether it is active.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	discovery "k8s.io/api/discovery/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/kedacore/keda/v2/pkg/scalers"
	"github.com/kedacore/keda/v2/pkg/scalers/scalersconfig"
)

type knowledge struct {
	Metadata, Authentication map[string]string
	Slices                   discovery.EndpointSliceList
}

func main() {
	value, active, err := ask()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(value, active)
}

func ask() (value float64, active bool, err error) {
	var known knowledge
	if err = json.NewDecoder(os.Stdin).Decode(&known); err != nil {
		return
	}
	config := scalersconfig.ScalerConfig{
		TriggerMetadata:   known.Metadata,
		AuthParams:        known.Authentication,
		GlobalHTTPTimeout: 3 * time.Second, // KEDA's default
	}
	scaler, err := scalers.NewMetricsAPIScaler(&config, fake.NewClientBuilder().WithLists(&known.Slices).Build())
	if err != nil {
		return
	}
	values, active, err := scaler.GetMetricsAndActivity(context.Background(), "searches")
	if err == nil {
		value = values[0].Value.AsApproximateFloat64()
	}
	return
}
