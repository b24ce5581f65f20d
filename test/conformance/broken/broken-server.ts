import type { SessionOptions } from '../../../packages/conformance/src/session.ts';
import type { DeploymentOptions, Fault } from '../deployment.ts';

/** A deployment with one fault, and the options of the run that finds it. */
type FaultyDeployment = DeploymentOptions & { readonly options?: Partial<SessionOptions> };

/** `caughtBy` has exactly the checks that must fail. */
export function broken(
  name: string,
  faulty: Fault | FaultyDeployment,
  ...caughtBy: readonly string[]
) {
  const { options, ...deployment }: FaultyDeployment =
    typeof faulty === 'function' ? { fault: faulty } : faulty;
  return { name, deployment, options, caughtBy };
}
