import { check } from './check.ts';
import { CheckFailed } from './check-error.ts';
import { expectClientError, expectStatus } from './expectations.ts';
import { petProblem } from './pet.ts';
import { createPetRequest, createPetRequestWith } from './requests.ts';
import { addSample, firstSample } from './samples.ts';

export const CREATE_PET = [
  check('createPet.created', 'createPet returns 201', async (session) => {
    expectStatus((await firstSample(session)).created, 201);
  }),
  check('createPet.pet', 'The response is the new pet with its id', async (session) => {
    const { created } = await addSample(session);
    const problem = petProblem(created.response.json);
    if (problem !== undefined) throw new CheckFailed('the new pet', problem, created);
  }),
  check('createPet.body.required', 'A missing body returns 400', async (session) => {
    expectStatus(await session.sendCached(createPetRequestWith('')), 400);
  }),
  check('createPet.body.missingFields', 'Missing fields return 400', async (session) => {
    expectStatus(await session.sendCached(createPetRequestWith('{}')), 400);
  }),
  check('createPet.body.invalidValues', 'Invalid values return 400', async (session) => {
    for (const invalid of [{ name: null }, { categoryId: null }]) {
      expectStatus(await session.sendCached(createPetRequest(invalid)), 400);
    }
  }),
  check('createPet.body.json', 'A body that is not JSON is rejected', async (session) => {
    const truncated = createPetRequestWith('{"name":"conformance-check",');
    expectClientError(await session.sendCached(truncated));
  }),
];
