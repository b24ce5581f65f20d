/** Narrow enough for a table of hours on a terminal with 80 columns. */
const WIDTH = 12;
/** One to eight eighths of a character. */
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A function that draws a count as a bar. The largest of all counts is as wide as the column. */
export function barChart(counts: readonly number[]): (count: number) => string {
  const most = counts.reduce((most, count) => Math.max(most, count), 1);
  return (count) => {
    // Even the smallest count is visible.
    const eighths = count === 0 ? 0 : Math.max(1, Math.round((count / most) * WIDTH * 8));
    return '█'.repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8];
  };
}
