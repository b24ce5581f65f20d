export function MethodBadge({ method }: { method: string }) {
  return <span class={`badge method ${method === 'GET' ? 'info' : 'good'}`}>{method}</span>;
}

/** The tone of each class of statuses. */
const TONES = ['bad', 'neutral', 'good', 'info', 'warning', 'bad'];

interface StatusBadgeProps {
  /** The status, or 0 if there was no response. */
  readonly status: number;
  readonly title?: string;
}

export function StatusBadge({ status, title }: StatusBadgeProps) {
  return <span class={`badge status ${TONES[Math.floor(status / 100)]}`}>{title ?? status}</span>;
}
