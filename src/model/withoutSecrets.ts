// Removes secret values from text that will be stored, logged or shown. Pure, so that every layer can use it.

/** Shorter values are left alone: removing them would make other words unreadable and hide nothing that can be kept secret. */
const shortest = 4;
/** A line of a secret of several lines, such as a key, is a secret of its own if it is at least this long. */
const shortestLine = 8;
const mark = '•••';

export function withoutSecrets(text: string, secrets: Iterable<string>): string {
  return secretRemover(secrets)(text);
}

/** For many texts: the spellings are found once. */
export function secretRemover(secrets: Iterable<string>): (text: string) => string {
  // The longest first: a value that contains another would otherwise leave its remainder behind.
  const spellings = [...new Set([...secrets].flatMap(spellingsOf))].toSorted((a, b) => b.length - a.length);
  return text => spellings.reduce((cleaned, spelling) => cleaned.replaceAll(spelling, mark), text);
}

/** A value as programs repeat it: as it is, without the spaces around it, in JSON, in a URL, in Base64. */
function spellingsOf(secret: string): readonly string[] {
  const bare = secret.trim();
  if (bare.length < shortest) return [];
  const lines = bare.split(/\r?\n/);
  const long = lines.length > 1 ? lines.map(line => line.trim()).filter(line => line.length >= shortestLine) : [];
  return [secret, bare, ...long, JSON.stringify(bare).slice(1, -1), inUrl(bare), inBase64(bare)];
}

function inUrl(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    // Half of a surrogate pair has no spelling in a URL.
    return value;
  }
}

function inBase64(value: string): string {
  const bytes = new TextEncoder().encode(value);
  // The last characters depend on what follows the value, as in `user:password`.
  return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join('')).replace(/=+$/, '');
}
