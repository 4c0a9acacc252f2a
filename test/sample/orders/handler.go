package orders

import (
	"encoding/json"
	"net/http"
	"strconv"
)

// NewHandler serves POST /orders and GET /orders/{id}.
func NewHandler(store *Store) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders", func(w http.ResponseWriter, r *http.Request) {
		var wanted struct {
			Customer string   `json:"customer"`
			Items    []string `json:"items"`
		}
		if err := json.NewDecoder(r.Body).Decode(&wanted); err != nil || len(wanted.Items) == 0 {
			http.Error(w, "an order needs items", http.StatusBadRequest)
			return
		}
		answer(w, http.StatusCreated, store.Add(wanted.Customer, wanted.Items))
	})
	mux.HandleFunc("GET /orders/{id}", func(w http.ResponseWriter, r *http.Request) {
		id, _ := strconv.Atoi(r.PathValue("id"))
		order, err := store.Get(id)
		if err != nil {
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		}
		answer(w, http.StatusOK, order)
	})
	return mux
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}
