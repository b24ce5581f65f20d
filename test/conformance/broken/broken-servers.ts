import { LIMIT_FAULTS } from './limits.ts';
import { PET_FAULTS } from './pets.ts';
import { RESPONSE_FAULTS } from './responses.ts';

export const BROKEN_SERVERS = [...RESPONSE_FAULTS, ...PET_FAULTS, ...LIMIT_FAULTS];
