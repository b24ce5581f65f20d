import { addedAnimal, creation, creationOf } from './animals.ts';
import type { Section } from './check.ts';
import { expectRefusal, expectStatus, petProblem } from './expectations.ts';
import { Failed } from './verdict.ts';

export const CREATE_PET: Section = {
  title: 'createPet: POST /pets',
  checks: [
    {
      id: 'createPet.created',
      sentence: 'Adding an animal is answered 201',
      async check(session) {
        expectStatus(await session.askOnce(creation()), 201);
      },
    },
    {
      id: 'createPet.pet',
      sentence: 'The answer is the new animal, with its id',
      async check(session) {
        const added = await addedAnimal(session);
        const problem = petProblem(added.answer.json ?? null);
        if (problem !== undefined) throw new Failed('the new animal', problem, added);
      },
    },
    {
      id: 'createPet.body.required',
      sentence: 'A creation without a body is answered 400',
      async check(session) {
        expectStatus(await session.askOnce(creationOf('')), 400);
      },
    },
    {
      id: 'createPet.body.missingFields',
      sentence: 'A body without the required fields is answered 400',
      async check(session) {
        expectStatus(await session.askOnce(creationOf('{}')), 400);
      },
    },
    {
      id: 'createPet.body.invalidValues',
      sentence: 'A body with values that are not allowed is answered 400',
      async check(session) {
        for (const wrong of [{ name: null }, { categoryId: null }]) {
          expectStatus(await session.askOnce(creation(wrong)), 400);
        }
      },
    },
    {
      id: 'createPet.body.json',
      sentence: 'A body that is no JSON is refused',
      async check(session) {
        expectRefusal(await session.askOnce(creationOf('{"name":"conformance-check",')));
      },
    },
  ],
};
