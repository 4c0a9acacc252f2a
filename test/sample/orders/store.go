package orders

import (
	"errors"
	"sync"
)

// ErrUnknown says that no order has this number.
var ErrUnknown = errors.New("orders: unknown order")

type Order struct {
	ID       int      `json:"id"`
	Customer string   `json:"customer"`
	Items    []string `json:"items"`
	Shipped  bool     `json:"shipped"`
}

// Store keeps orders in memory. It is safe for concurrent use.
type Store struct {
	mu     sync.Mutex
	next   int
	orders map[int]Order
}

func NewStore() *Store {
	return &Store{next: 1, orders: map[int]Order{}}
}

func (s *Store) Add(customer string, items []string) Order {
	s.mu.Lock()
	defer s.mu.Unlock()
	order := Order{ID: s.next, Customer: customer, Items: items}
	s.orders[order.ID] = order
	s.next++
	return order
}

func (s *Store) Get(id int) (Order, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	order, ok := s.orders[id]
	if !ok {
		return Order{}, ErrUnknown
	}
	return order, nil
}
