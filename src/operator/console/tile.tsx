import type { ComponentChildren } from 'preact';
import type { Tone } from './marks.tsx';

interface TileProps {
  readonly label: string;
  readonly value: string;
  readonly unit?: string;
  readonly tone?: Tone | undefined;
  readonly isWide?: boolean;
  readonly children?: ComponentChildren;
}

/** One figure, with a note below it. */
export function Tile({ label, value, unit, tone, isWide, children }: TileProps) {
  return (
    <div class={isWide ? 'tile wide' : 'tile'}>
      <dt>{label}</dt>
      <dd class={tone}>
        <b class="value">{value}</b>
        {unit !== undefined && <span class="unit">{unit}</span>}
      </dd>
      <dd class="note">{children}</dd>
    </div>
  );
}
