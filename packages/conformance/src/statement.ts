import {
  type ApiRequest,
  type ApiResponse,
  isClientError,
  isObject,
  isSuccess,
  type Json,
  stringify,
} from './http.ts';
import { expect, need, needStatement, type Session } from './session.ts';

/** A statement of the API contract, and the check that shows if a deployment fulfills it. */
export interface Statement {
  /** The id never changes, so that you can compare reports over time. */
  readonly id: string;
  /** The title of the section in which the report shows the statement. */
  readonly section: string;
  readonly statement: string;
  /** Throws `CheckFailed` or `NotCheckable`. If it throws nothing, the deployment fulfills the statement. */
  readonly check: (session: Session) => Promise<void>;
}

type InSection = Omit<Statement, 'section'>;

/** Makes a section of the report. Adds the name of the section to the beginning of each id. */
export function section(
  name: string,
  title: string,
  statements: readonly InSection[],
): Statement[] {
  return statements.map(({ id, ...rest }) => ({ id: `${name}.${id}`, section: title, ...rest }));
}

/** Finds what a statement is about, usually one or more responses. */
type Find<T> = (session: Session) => T | readonly T[] | Promise<T | readonly T[]>;

/** Throws `CheckFailed` or `NotCheckable` if a value is not as expected. */
export type Expectation<T = ApiResponse> = (value: T, session: Session) => unknown;

/**
 * Makes a statement about `subject`. If the subject is a request or several requests, the statement is about their
 * responses. If the subject is a function, the statement is about the values that the function finds. Each response or
 * value must meet every expectation. A number as an expectation stands for the expected status.
 */
export function statement<T = ApiResponse>(
  id: string,
  sentence: string,
  subject: ApiRequest | readonly ApiRequest[] | Find<T>,
  ...expectations: readonly (number | Expectation<T>)[]
): InSection {
  const expected = expectations.map((one) =>
    typeof one === 'number' ? (status(one) as Expectation<T>) : one,
  );
  return { id, statement: sentence, check };

  async function check(session: Session): Promise<void> {
    const found = await (typeof subject === 'function'
      ? subject(session)
      : session.sendAll([subject].flat()));
    const values = [found].flat() as T[];
    need(values.length > 0, 'No response in this run shows it.');
    for (const value of values) {
      for (const expectation of expected) await expectation(value, session);
    }
  }
}

/** Makes a function that returns every response so far or, with a condition, those that meet the condition. */
export function responses(which: (response: ApiResponse) => boolean = () => true) {
  return (session: Session) => session.responses.filter(which);
}

export function status(expected: number) {
  return statusWhere(`status ${expected}`, (response) => response.status === expected);
}

/** Marks a statement as not checkable if its request failed. The statement with the given id reports the failure. */
export function requireSuccess(id: string): Expectation {
  return (response) => needStatement(isSuccess(response), id);
}

export const success = statusWhere('a 2xx status', isSuccess);

/** Expects a request to fail. Use this where the contract does not name the status. */
export const clientError = statusWhere('a 4xx status', isClientError);

export function statusWhere(expected: string, isMet: (response: ApiResponse) => boolean) {
  return (response: ApiResponse) =>
    expect(isMet(response), expected, `${response.status}`, response);
}

/** Expects a header whose value matches a pattern or passes a test. */
export function header(
  name: string,
  expected: string,
  valid: RegExp | ((value: string, response: ApiResponse) => boolean),
): Expectation {
  return (response) => {
    const value = response.headers.get(name) ?? 'no such header';
    const isMet = valid instanceof RegExp ? valid.test(value) : valid(value, response);
    expect(isMet, `${name}: ${expected}`, value, response);
  };
}

/** Expects a body that passes a test. */
export function body(expected: string, isValid: (value: Json | undefined) => boolean): Expectation {
  return (response) => {
    const { json } = response;
    expect(isValid(json), expected, stringify(json), response);
  };
}

/** Expects a member of the body that passes a test. */
export function field(
  name: string,
  expected: string,
  isValid: (value: Json | undefined, response: ApiResponse) => boolean,
): Expectation {
  return (response) => {
    const value = fieldOf(response.json, name);
    expect(isValid(value, response), `${name}: ${expected}`, stringify(value), response);
  };
}

export function fieldOf(json: Json | undefined, name: string): Json | undefined {
  return isObject(json) ? json[name] : undefined;
}
