/** A method in its colour. */
export function MethodChip({ method }: { method: string }) {
  return <span class={`chip method ${method.toLowerCase()}`}>{method}</span>;
}

/** A status in the colour of its class. */
export function StatusChip({ status, title }: { status: number; title?: string }) {
  return <span class={`chip status status-${Math.floor(status / 100)}xx`}>{title ?? status}</span>;
}
