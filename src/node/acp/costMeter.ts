// What one turn cost, from an agent that tells what the whole session has cost so far. Where nobody knows what it had cost
// when the turn began, nothing is said.

import type { Cost } from '../../model/message.ts';

export class CostMeter {
  private total: Cost | null = null;
  private before: Cost | null = null;
  private knowsBefore: boolean;
  private readThisTurn = false;

  /** A fresh session has cost nothing. */
  constructor(fresh: boolean) {
    this.knowsBefore = fresh;
  }

  begin(): void {
    this.before = this.total;
    this.knowsBefore ||= this.total !== null;
    this.readThisTurn = false;
  }

  read(total: Cost | null): void {
    if (!total) return;
    this.total = total;
    this.readThisTurn = true;
  }

  spent(): Cost | null {
    const { total, before } = this;
    if (!total || !this.readThisTurn || !this.knowsBefore) return null;
    if (before && before.currency !== total.currency) return null;
    const amount = total.amount - (before?.amount ?? 0);
    return amount >= 0 ? { amount, currency: total.currency } : null;
  }
}
