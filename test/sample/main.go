package main

import (
	"log"
	"net/http"

	"example.com/orders/orders"
)

func main() {
	store := orders.NewStore()
	handler := orders.NewHandler(store)
	log.Println("orders on :8080")
	log.Fatal(http.ListenAndServe(":8080", handler))
}
