import { formatNumber } from './format.ts';

interface OffsetPagerProps {
  readonly offset: number;
  readonly size: number;
  readonly total: number;
  readonly onMove: (offset: number) => void;
}

/** Moves through a list of a known length. */
export function OffsetPager({ offset, size, total, onMove }: OffsetPagerProps) {
  const last = Math.min(offset + size, total);
  return (
    <nav class="pager" aria-label="Pages of the list">
      <span class="figures" role="status">
        {formatNumber(Math.min(offset + 1, total))}–{formatNumber(last)} of {formatNumber(total)}
      </span>
      <button
        type="button"
        class="secondary small"
        disabled={offset === 0}
        onClick={() => onMove(Math.max(0, offset - size))}
      >
        Previous
      </button>
      <button
        type="button"
        class="secondary small"
        disabled={last >= total}
        onClick={() => onMove(offset + size)}
      >
        Next
      </button>
    </nav>
  );
}

interface CursorPagerProps {
  /** The cursors of the pages up to this one, separated by commas. Empty on the first page. */
  readonly trail: string;
  readonly next: string | number | null;
  readonly onMove: (trail: string) => void;
}

const LONGEST_TRAIL = 20;

/** Moves through a list whose length nobody counts. */
export function CursorPager({ trail, next, onMove }: CursorPagerProps) {
  const cursors = trail === '' ? [] : trail.split(',');
  if (cursors.length === 0 && next === null) return null;
  return (
    <nav class="pager" aria-label="Pages of the list">
      <button
        type="button"
        class="secondary small"
        disabled={cursors.length === 0}
        onClick={() => onMove(cursors.slice(0, -1).join(','))}
      >
        Previous
      </button>
      <button
        type="button"
        class="secondary small"
        disabled={next === null}
        onClick={() => onMove([...cursors, next].slice(-LONGEST_TRAIL).join(','))}
      >
        Next
      </button>
    </nav>
  );
}

/** The cursor of the page that a trail leads to. */
export function cursorOf(trail: string): string | undefined {
  return trail === '' ? undefined : trail.split(',').at(-1);
}
