package orders

import "time"

// Retry calls send until it succeeds, at most attempts times, and waits twice as long after every failure.
func Retry(attempts int, wait time.Duration, send func() error) error {
	var err error
	for i := 0; i < attempts; i++ {
		if err = send(); err == nil {
			return nil
		}
		time.Sleep(wait)
		wait *= 2
	}
	return err
}
