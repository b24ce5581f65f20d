import type { Section } from './check.ts';
import { CheckFailed } from './check-error.ts';
import { expectClientError, expectStatus, petProblem } from './expectations.ts';
import { addPet, createPetRequest, createPetRequestWith } from './pets.ts';

export const CREATE_PET: Section = {
  title: 'createPet: POST /pets',
  checks: [
    {
      id: 'createPet.created',
      statement: 'createPet returns 201',
      async run(session) {
        expectStatus(await session.sendCached(createPetRequest()), 201);
      },
    },
    {
      id: 'createPet.pet',
      statement: 'The response is the new pet with its id',
      async run(session) {
        const added = await addPet(session);
        const problem = petProblem(added.response.json ?? null);
        if (problem !== undefined) throw new CheckFailed('the new pet', problem, added);
      },
    },
    {
      id: 'createPet.body.required',
      statement: 'A missing body returns 400',
      async run(session) {
        expectStatus(await session.sendCached(createPetRequestWith('')), 400);
      },
    },
    {
      id: 'createPet.body.missingFields',
      statement: 'Missing fields return 400',
      async run(session) {
        expectStatus(await session.sendCached(createPetRequestWith('{}')), 400);
      },
    },
    {
      id: 'createPet.body.invalidValues',
      statement: 'Invalid values return 400',
      async run(session) {
        for (const invalid of [{ name: null }, { categoryId: null }]) {
          expectStatus(await session.sendCached(createPetRequest(invalid)), 400);
        }
      },
    },
    {
      id: 'createPet.body.json',
      statement: 'A body that is not JSON is rejected',
      async run(session) {
        const truncated = createPetRequestWith('{"name":"conformance-check",');
        expectClientError(await session.sendCached(truncated));
      },
    },
  ],
};
