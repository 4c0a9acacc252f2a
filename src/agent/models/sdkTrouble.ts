// Whatever the AI SDK throws, as trouble in words. Promises: of what a server says only its message is passed on, and
// without the key, wherever it stands; the error of the SDK, which has the request in it, is let go.

import { APICallError, InvalidResponseDataError } from 'ai';
import { httpErrorIn, type HttpError } from '../../core/httpError.ts';
import { withoutSecrets } from '../../model/withoutSecrets.ts';
import type { ThinkingLevel } from '../loop/model.ts';
import { broken, ModelTrouble, noThinking, troubleIn, troubleOf, unreachable } from '../loop/trouble.ts';
import type { Endpoint } from './sdkModel.ts';

/** `thinking`: what the model was told of how long it may think. */
export function sdkTrouble(cause: unknown, who: string, endpoint: Endpoint, thinking?: ThinkingLevel): ModelTrouble {
  const known = troubleIn(cause);
  if (known) return known;
  const refused = httpErrorIn(cause) ?? (cause instanceof Error ? httpErrorIn(cause.cause) : null);
  if (refused) return stopped(who, refused);
  if (APICallError.isInstance(cause)) {
    const { statusCode, responseBody = '', responseHeaders } = cause;
    if (statusCode === undefined) return unreachable(who, endpoint.url);
    // It had begun to answer, and went.
    if (statusCode < 400 && cause.cause instanceof TypeError) return broken(who);
    if (statusCode < 400) return nonsense(who);
    const { message, kind } = saidIn(responseBody);
    if (thinking && (statusCode === 400 || statusCode === 422) && /reasoning|thinking|effort/i.test(message))
      return noThinking(who, thinking, withoutSecrets(message, secretsOf(endpoint)));
    const retryAfter = secondsIn(responseHeaders?.['retry-after']);
    return troubleOf(who, {
      status: statusCode,
      message: withoutSecrets(message, secretsOf(endpoint)),
      kind,
      retryAfter,
    });
  }
  // The SDK's own word for a stream that ends before the answer does.
  if (InvalidResponseDataError.isInstance(cause)) return broken(who);
  if (cause instanceof Error && cause.name === 'AI_StreamProviderError') {
    const { data, statusCode } = cause as Error & { readonly data?: unknown; readonly statusCode?: number };
    const { message, kind } = saidIn(data);
    const said = withoutSecrets(message === '' ? cause.message : message, secretsOf(endpoint));
    return troubleOf(who, { status: statusCode ?? statusFor(kind), message: said, kind, retryAfter: null });
  }
  const isNetwork = cause instanceof TypeError || (cause instanceof Error && 'code' in cause);
  return isNetwork ? broken(who) : nonsense(who);
}

/** The HTTP client gave up the request; its words hold no secret. */
function stopped(who: string, { code, message }: HttpError): ModelTrouble {
  const words = `${who}: ${message}`;
  switch (code) {
    case 'redirected':
    case 'insecure':
      return new ModelTrouble('other', `${words} Check the server’s URL in the setting “throughline.models”.`);
    case 'timeout':
      return new ModelTrouble('unreachable', `${words} Check that the server is running, and try again.`);
    case 'too-large':
    case 'invalid-request':
      return new ModelTrouble('other', words);
  }
}

function nonsense(who: string): ModelTrouble {
  return new ModelTrouble('other', `${who} gave an answer that makes no sense. Is its address right?`);
}

/** `{error: {message, type, code}}`, `{error: "…"}`, `{message}`, as text or as it is. */
function saidIn(value: unknown): { readonly message: string; readonly kind: string } {
  if (typeof value === 'string') {
    try {
      return saidIn(JSON.parse(value) as object);
    } catch {
      // A page of some server in between: its words are for nobody.
      return { message: /^\s*</.test(value) ? '' : value, kind: '' };
    }
  }
  if (typeof value !== 'object' || value === null) return { message: '', kind: '' };
  const { error, message, type, code } = value as { readonly [field: string]: unknown };
  if (typeof error === 'object' && error !== null) return saidIn(error);
  if (typeof error === 'string') return { message: error, kind: '' };
  const kind = [type, code].filter(one => typeof one === 'string').join(' ');
  return { message: typeof message === 'string' ? message : '', kind };
}

function statusFor(kind: string): number {
  if (/rate_limit/.test(kind)) return 429;
  if (/overloaded/.test(kind)) return 529;
  return /authentication/.test(kind) ? 401 : 0;
}

function secondsIn(text: string | undefined): number | null {
  const seconds = Number(text ?? '');
  return text !== undefined && Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}

/** A scheme such as `Bearer` stands before the value of a header. */
function secretsOf({ key, headers }: Pick<Endpoint, 'key' | 'headers'>): readonly string[] {
  return [key, ...Object.values(headers).flatMap(value => [value, value.replace(/^\S+ /, '')])];
}
