// Why the HTTP client refused or gave up a request, with a code for programs and words for people. The words name origins
// only: no path, no header and no body.

export type HttpErrorCode = 'redirected' | 'insecure' | 'too-large' | 'timeout' | 'invalid-request';

export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly code: HttpErrorCode;

  constructor(code: HttpErrorCode, words: string) {
    super(words);
    this.code = code;
  }
}

/** Compares the name instead of the class, because the error may come from another bundle with a class of its own. */
export function httpErrorIn(cause: unknown): HttpError | null {
  return cause instanceof Error && cause.name === 'HttpError' ? (cause as HttpError) : null;
}
