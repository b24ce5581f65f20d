import { Field } from './dialog.tsx';
import { formatNumber } from './format.ts';
import { usePlan, useSession } from './session.ts';

export interface PlanChoice {
  readonly plan: string;
  readonly perMinute: string;
  readonly perDay: string;
}

interface PlanFieldsProps {
  readonly value: PlanChoice;
  readonly onChange: (value: PlanChoice) => void;
}

/** A plan, and limits if it has no fixed ones. */
export function PlanFields({ value, onChange }: PlanFieldsProps) {
  const { plans } = useSession();
  return (
    <>
      <Field label="Plan">
        <select
          value={value.plan}
          onChange={({ currentTarget }) => onChange({ ...value, plan: currentTarget.value })}
        >
          {plans.map(({ name, title, perMinute, perDay }) => (
            <option key={name} value={name}>
              {title}
              {perMinute !== null && perDay !== null
                ? `: ${formatNumber(perMinute)} a minute, ${formatNumber(perDay)} a day`
                : ': custom limits'}
            </option>
          ))}
        </select>
      </Field>
      {useHasCustomLimits(value.plan) && (
        <div class="pair">
          <Field label="Requests per minute">
            <input
              type="number"
              min="1"
              required
              value={value.perMinute}
              onInput={({ currentTarget }) =>
                onChange({ ...value, perMinute: currentTarget.value })
              }
            />
          </Field>
          <Field label="Requests per day">
            <input
              type="number"
              min="1"
              required
              value={value.perDay}
              onInput={({ currentTarget }) => onChange({ ...value, perDay: currentTarget.value })}
            />
          </Field>
        </div>
      )}
    </>
  );
}

export function useHasCustomLimits(name: string): boolean {
  return usePlan(name).perMinute === null;
}

/** As the API takes it: limits only for a plan without fixed ones. */
export function limitsOf(
  { plan, perMinute, perDay }: PlanChoice,
  isCustom: boolean,
): { plan: string; perMinute?: number; perDay?: number } {
  return isCustom ? { plan, perMinute: Number(perMinute), perDay: Number(perDay) } : { plan };
}
