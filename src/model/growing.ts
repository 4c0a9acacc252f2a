// Text that grows by many small pieces. An engine keeps it as a tree of the pieces until somebody reads it, which takes
// several times the room of the text; so it is read now and then, seldom enough that growing stays cheap however long it
// becomes.

/** What is read is put somewhere, because a compiler leaves out what nobody uses. */
let read = 0;

export function joined(text: string, more: string): string {
  const whole = text + more;
  // To ask for a character makes it one string.
  if (stepOf(text.length) !== stepOf(whole.length)) read ^= whole.charCodeAt(whole.length - 1);
  return whole;
}

/** Each step is a tenth longer than the one before. */
function stepOf(length: number): number {
  return Math.floor(Math.log(length + 1) / Math.log(1.1));
}
