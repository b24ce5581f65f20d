import type { TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import { CHANGES_PAGE, ERRORS_PAGE } from '#contract/api.ts';
import type { UsageReport } from '#domain/usage-report.ts';
import { Table } from '#reference/table.tsx';

/** A form for the key, and what the service knows of it. The key is only in the field, and never stored. */
export function UsageView(_: object) {
  const [report, setReport] = useState<Partial<UsageReport> & { message?: string }>({});
  const { message, state, bannedUntilSeconds, expiresAtMs, isReadOnly } = report;
  const { windows, requests, refusals = [] } = report;
  const show = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const key = new FormData(event.currentTarget).get('key');
    const headers = { Accept: 'application/json', Authorization: `Bearer ${key}` };
    // A relative address fails if that of the page has a password.
    const answered = fetch(location.href, { headers }).then((response) => response.json());
    setReport(await answered.catch(() => ({ message: 'The service did not respond.' })));
  };
  return (
    <>
      <form class="line send" onSubmit={show}>
        <input name="key" type="password" autocomplete="off" required aria-label="API key" />
        <button type="submit">Show usage</button>
      </form>
      <p role="status">
        {message}
        {state && `The key is ${isReadOnly ? 'read-only and ' : ''}${state}.`}
        {bannedUntilSeconds && ` The ban ends on ${timeOf(bannedUntilSeconds * 1000)}.`}
        {expiresAtMs && ` It expires on ${timeOf(expiresAtMs)}.`}
      </p>
      {windows &&
        (['minute', 'day'] as const).map((name) => {
          const { limit, remaining, resetAtSeconds } = windows[name];
          return (
            <label key={name} class="note">
              This {name}, {format(remaining)} of {format(limit)} requests are left until{' '}
              {timeOf(resetAtSeconds * 1000)}
              <meter max={limit} value={limit - remaining} />
            </label>
          );
        })}
      {requests && (
        <>
          <Table
            name="figures"
            columns={['Requests', 'Result', 'Today', '30 days', 'By day']}
            rows={requests.map(({ operation, result, days }) => [
              operation,
              // As words.
              result.replace(/[A-Z]/g, ' $&').toLowerCase(),
              format(days.at(-1)),
              format(days.reduce((sum, count) => sum + count)),
              <Chart days={days} />,
            ])}
          />
          <p>
            You {requests.some(({ operation }) => operation === 'getPet') ? 'still' : 'do not'} call
            getPet, which is <a href={`.${CHANGES_PAGE}#deprecations`}>deprecated</a>.
          </p>
          <h3>Last refusals</h3>
        </>
      )}
      {refusals.map(({ atMs, code, operation, requestId }) => (
        <p key={requestId} class="note">
          <a href={`.${ERRORS_PAGE}#${code}`}>{code}</a> {operation} {timeOf(atMs)} {requestId}
        </p>
      ))}
    </>
  );
}

function Chart({ days }: { days: readonly number[] }) {
  const most = Math.max(...days);
  return (
    <svg viewBox="0 0 30 1" preserveAspectRatio="none" aria-hidden="true">
      <path d={days.map((count, day) => `M${day}.5 1v-${count / most}`).join('')} />
    </svg>
  );
}

function timeOf(ms: number): string {
  return new Date(ms).toLocaleString('en-GB', { timeZoneName: 'short' });
}

function format(count = 0): string {
  return count.toLocaleString('en-US');
}
