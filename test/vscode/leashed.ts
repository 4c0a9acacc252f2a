// Imported first by every script that starts a server or a browser, so that it is on a leash also when it is run
// directly and not through `npm test` or `npm start`, which put their whole run on one. See ../leash.mjs.

import { startLeash } from '../leash.mjs';

if (!process.env.THROUGHLINE_RUN) {
  startLeash();
}
