// What a check can find, in words for a person who knows sessions, messages and files, and nothing of how history keeps
// them. Promises: whole sentences, a session by its title as it stands, and `repairable` only where repair does away
// with it. Finding it is node's.

import type { Finding } from './history.ts';

/** A session as it is named in a sentence. */
export function sessionWords(title: string): string {
  if (title === '') return 'a session without a title';
  // What is cut is what a person takes for characters.
  const characters = Array.from(new Intl.Segmenter().segment(title), ({ segment }) => segment);
  const shown = characters.length > longestTitle ? `${characters.slice(0, longestTitle - 1).join('')}…` : title;
  return `the session “${shown}”`;
}

const longestTitle = 60;

/** `of` is the session as `sessionWords` names it. */
export function badRecords(of: string, count: number, file: string): Finding {
  const words = `${records(count)} in one file of ${of} ${isOrAre(count)} damaged. Everything else in it is whole.`;
  return { code: 'bad-record', words, repairable: false, file };
}

export function unfinishedTail(of: string, isLive: boolean, file: string): Finding {
  const words = isLive
    ? `The end of one file of ${of} is not whole. Another window writes to this file and may be in the middle of it: check again when that window is closed.`
    : `The end of one file of ${of} is cut off, as a crash in the middle of writing leaves it. Everything before it is whole.`;
  return { code: 'unfinished-tail', words, repairable: false, file };
}

export function newerRecords(of: string, count: number, file: string): Finding {
  const they = count === 1 ? 'It is kept, and that version shows it.' : 'They are kept, and that version shows them.';
  const words = `${records(count)} in one file of ${of} ${count === 1 ? 'was' : 'were'} written by a newer version. ${they}`;
  return { code: 'newer-record', words, repairable: false, file };
}

export function missingBlobs(of: string, files: readonly string[]): Finding {
  const one = files.length === 1;
  const words = `${attachments(files.length)} of ${of} ${isOrAre(files.length)} missing: ${one ? 'its file is' : 'their files are'} gone from the history folder. Everything around ${one ? 'it' : 'them'} is shown.`;
  return { code: 'missing-blob', words, repairable: false, ...onlyFile(files) };
}

export function damagedBlobs(of: string, files: readonly string[]): Finding {
  const one = files.length === 1;
  const words = `${attachments(files.length)} of ${of} ${isOrAre(files.length)} damaged: what is in ${one ? 'its file' : 'their files'} is not what was saved. Everything around ${one ? 'it' : 'them'} is shown.`;
  return { code: 'damaged-blob', words, repairable: false, ...onlyFile(files) };
}

export function missingParents(of: string, count: number): Finding {
  const words =
    count === 1
      ? `One message of ${of} answers a message that is missing. The conversation is shown from there on.`
      : `${count} messages of ${of} answer messages that are missing. The conversation is shown from there on.`;
  return { code: 'missing-parent', words, repairable: false };
}

/** Of messages of which something is there, but not the record that they began with. */
export function missingBeginnings(of: string, count: number): Finding {
  const words =
    count === 1
      ? `The beginning of one message of ${of} is missing, so the rest of it cannot be shown.`
      : `The beginnings of ${count} messages of ${of} are missing, so the rest of them cannot be shown.`;
  return { code: 'missing-parent', words, repairable: false };
}

export function missingSession(of: string, messages: number): Finding {
  const there = messages === 1 ? 'One message of it is' : `${messages} messages of it are`;
  const words = `The beginning of ${of} is missing. ${there} still there, but not when it began or where.`;
  return { code: 'missing-session', words, repairable: false };
}

export function indexDiffers(of: string): Finding {
  const words = `What is listed of ${of} is not what its files say. Repair makes the list again from the files.`;
  return { code: 'index-differs', words, repairable: true };
}

export function damagedSnapshot(file: string): Finding {
  const words = 'A file that only makes opening faster is damaged and is not used. Repair makes it again.';
  return { code: 'index-differs', words, repairable: true, file };
}

export function unfinishedFiles(files: readonly string[]): Finding {
  const words = `${theFiles(files.length)} left over from a write that never came to its end. Nothing needs ${it(files.length)}, and repair removes ${it(files.length)}.`;
  return { code: 'half-done', words, repairable: true, ...onlyFile(files) };
}

/** Files that somebody began to put into one; they go on being read. */
export function claimedFiles(of: string, files: readonly string[], repairable: boolean): Finding {
  const end = repairable ? ', and repair finishes it.' : '.';
  const words = `Tidying the files of ${of} never came to its end. Everything in them is still read${end}`;
  return { code: 'half-done', words, repairable, ...onlyFile(files) };
}

/** Blobs that no record names. */
export function unnamedBlobs(of: string, files: readonly string[]): Finding {
  const words = `${attachments(files.length)} of ${of} ${files.length === 1 ? 'belongs' : 'belong'} to no message. Repair removes ${it(files.length)}.`;
  return { code: 'half-done', words, repairable: true, ...onlyFile(files) };
}

/** Blobs of a session of which nothing else is there. They may be all that is left of it. */
export function strayBlobs(files: readonly string[]): Finding {
  const words = `${attachments(files.length)} ${files.length === 1 ? 'belongs' : 'belong'} to a session of which nothing else is in the history folder. Nothing was removed.`;
  return { code: 'half-done', words, repairable: false, ...onlyFile(files) };
}

export function notErased(of: string, file: string): Finding {
  const words = `Something that was deleted permanently from ${of} is still in one file. Repair removes it.`;
  return { code: 'not-erased', words, repairable: true, file };
}

export function sessionNotErased(files: readonly string[]): Finding {
  const words = `${theFiles(files.length)} still there of a session that was deleted permanently. Repair removes ${it(files.length)}.`;
  return { code: 'not-erased', words, repairable: true, ...onlyFile(files) };
}

export function unreadableFile(of: string, systemCode: string, file: string): Finding {
  const isForbidden = systemCode === 'EACCES' || systemCode === 'EPERM';
  const why = isForbidden ? 'it may not be opened' : 'the disk reports an error';
  const words = `One file of ${of} cannot be read: ${why}. What is in it is not shown.`;
  return { code: 'unreadable-file', words, repairable: false, file };
}

function records(count: number): string {
  return count === 1 ? 'One record' : `${count} records`;
}

function attachments(count: number): string {
  return count === 1 ? 'One attachment or long text' : `${count} attachments or long texts`;
}

function theFiles(count: number): string {
  return count === 1 ? 'One file is' : `${count} files are`;
}

function isOrAre(count: number): string {
  return count === 1 ? 'is' : 'are';
}

function it(count: number): string {
  return count === 1 ? 'it' : 'them';
}

function onlyFile(files: readonly string[]): { readonly file?: string } {
  const [file] = files;
  return file !== undefined && files.length === 1 ? { file } : {};
}
