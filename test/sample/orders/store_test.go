package orders

import "testing"

func TestGetReturnsWhatWasAdded(t *testing.T) {
	store := NewStore()
	added := store.Add("Ada", []string{"tea", "scones"})
	got, err := store.Get(added.ID)
	if err != nil || got.Customer != "Ada" || len(got.Items) != 2 {
		t.Fatalf("got %+v, %v", got, err)
	}
}

func TestGetOfAnUnknownOrder(t *testing.T) {
	if _, err := NewStore().Get(7); err != ErrUnknown {
		t.Fatalf("got %v", err)
	}
}
