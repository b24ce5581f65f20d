import type { SessionOptions } from '../../../packages/conformance/src/session.ts';
import type { DeploymentOptions, Fault } from '../deployment.ts';

/** A deployment with one fault, and the options of the run that finds it. */
export interface BrokenServer {
  readonly name: string;
  readonly deployment: DeploymentOptions;
  readonly options: Partial<SessionOptions>;
  /** Exactly the checks that must fail. */
  readonly caughtBy: readonly string[];
}

export function broken(
  name: string,
  fault: Fault | (BrokenServer['deployment'] & { readonly options?: Partial<SessionOptions> }),
  ...caughtBy: readonly string[]
): BrokenServer {
  const { options = {}, ...deployment } = typeof fault === 'function' ? { fault } : fault;
  return { name, deployment, options, caughtBy };
}
