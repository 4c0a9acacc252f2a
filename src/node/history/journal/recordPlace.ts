// Where a record stands in the journal.

import type { JournalRecord } from '../../../model/record.ts';

export interface Place {
  readonly segment: string;
  readonly offset: number;
  readonly length: number;
}

export interface PlacedRecord {
  readonly record: JournalRecord;
  readonly place: Place;
}
