interface KeyFieldProps {
  readonly limitsHref: string;
  readonly plans: readonly (readonly [title: string, perMinute: number, perDay: number])[];
}

export function KeyField(_: KeyFieldProps) {
  return <input id="api-key" type="password" placeholder="API key" aria-label="API key" />;
}
