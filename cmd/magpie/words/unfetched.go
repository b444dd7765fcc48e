package words

import (
	"errors"
	"fmt"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/crawl/fetch"
)

// Unfetched adds to an error of crawl.Crawler.Single what can be done about it
// in the job file. It returns nil for nil.
func Unfetched(err error) error {
	if failed, ok := errors.AsType[*fetch.Error](err); ok && failed.Reason == fetch.ReasonAddress {
		return fmt.Errorf("%w: such addresses are asked only where the job starts there or says allow_private: true", err)
	}
	if _, forbidden := errors.AsType[*crawl.RobotsError](err); forbidden {
		return fmt.Errorf("%w; it is fetched all the same where the job says politeness: {robots: ignore}, if you may", err)
	}
	return err
}
