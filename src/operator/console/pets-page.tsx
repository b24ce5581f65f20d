import { useState } from 'preact/hooks';
import { type Pet, type PetList, request, withQuery } from './api.ts';
import { ActionDialog, Field } from './dialog.tsx';
import { Badge, type Tone } from './marks.tsx';
import { announce } from './notices.tsx';
import { CursorPager, cursorOf } from './pager.tsx';
import { linkTo, type Route, replaceRoute } from './route.ts';
import { SearchField } from './search-field.tsx';
import { Select } from './select.tsx';
import { Empty, Loaded } from './states.tsx';
import { useQuery } from './use-query.ts';

const PAGE_SIZE = 50;
const STATUSES = ['available', 'pending', 'sold'] as const;
const TONES: Readonly<Record<string, Tone>> = {
  available: 'good',
  pending: 'warning',
  sold: 'neutral',
};

export function PetsPage({ route }: { route: Route }) {
  const { status = '', id = '', pages = '' } = route.parameters;
  const [isAdding, setAdding] = useState(false);
  const [corrected, setCorrected] = useState<Pet>();
  const list = useQuery<PetList>(
    id === '' ? withQuery('pets', { status, after: cursorOf(pages), limit: PAGE_SIZE }) : undefined,
  );
  const found = useQuery<Pet>(id === '' ? undefined : `pets/${encodeURIComponent(id)}`);
  const done = () => {
    setAdding(false);
    setCorrected(undefined);
    list.reload();
    found.reload();
  };

  return (
    <>
      <div class="head">
        <h1>Pets</h1>
        <SearchField
          label="Find by id"
          value={id}
          onSearch={(text) => replaceRoute(linkTo('pets', { status, id: text }))}
        />
        <button type="button" onClick={() => setAdding(true)}>
          Add a pet
        </button>
      </div>
      <nav class="tabs" aria-label="Status">
        {['', ...STATUSES].map((value) => (
          <a
            key={value}
            href={linkTo('pets', { status: value })}
            aria-current={id === '' && value === status ? 'true' : undefined}
          >
            {value === '' ? 'All' : capitalise(value)}
          </a>
        ))}
      </nav>
      {id === '' ? (
        <Loaded query={list} rows={10}>
          {({ pets, next }) => (
            <>
              {pets.length === 0 ? (
                <NoPets status={status} />
              ) : (
                <PetTable pets={pets} onCorrect={setCorrected} />
              )}
              <CursorPager
                trail={pages}
                next={next}
                onMove={(trail) => replaceRoute(linkTo('pets', { status, pages: trail }))}
              />
            </>
          )}
        </Loaded>
      ) : (
        <Loaded query={found} rows={1}>
          {(pet) => <PetTable pets={[pet]} onCorrect={setCorrected} />}
        </Loaded>
      )}
      {isAdding && <NewPetDialog onClose={() => setAdding(false)} onDone={done} />}
      {corrected !== undefined && (
        <StatusDialog pet={corrected} onClose={() => setCorrected(undefined)} onDone={done} />
      )}
    </>
  );
}

interface PetTableProps {
  readonly pets: readonly Pet[];
  readonly onCorrect: (pet: Pet) => void;
}

function PetTable({ pets, onCorrect }: PetTableProps) {
  return (
    <table class="list pets">
      <thead>
        <tr>
          <th scope="col" class="end">
            Id
          </th>
          <th scope="col">Name</th>
          <th scope="col">Status</th>
          <th scope="col" class="end">
            Category
          </th>
          <th scope="col">
            <span class="hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {pets.map((pet) => (
          <tr key={pet.id}>
            <td class="end figures" data-label="Id">
              {pet.id}
            </td>
            <th scope="row">
              <bdi>{pet.name}</bdi>
            </th>
            <td>
              <Badge tone={TONES[pet.status] ?? 'neutral'}>{capitalise(pet.status)}</Badge>
            </td>
            <td class="end figures" data-label="Category">
              {pet.categoryId}
            </td>
            <td class="end">
              <button
                type="button"
                class="secondary small"
                aria-label={`Correct status of pet ${pet.id}`}
                onClick={() => onCorrect(pet)}
              >
                Correct status
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function NoPets({ status }: { status: string }) {
  return status === '' ? (
    <Empty title="No pets yet">
      <p>Add one here, or import many with the command.</p>
      <p>
        <code>animal-store pets import FILE</code>
      </p>
    </Empty>
  ) : (
    <Empty title={`No pet is ${status}`}>
      <p>
        <a href={linkTo('pets')}>Show all pets</a>
      </p>
    </Empty>
  );
}

interface PetDialogProps {
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function NewPetDialog({ onClose, onDone }: PetDialogProps) {
  const [name, setName] = useState('');
  const [categoryId, setCategoryId] = useState('');
  const [status, setStatus] = useState('available');
  const add = async () => {
    const body = { name, categoryId: categoryId.trim(), status };
    const pet = await request<Pet>('POST', 'pets', { body });
    onDone();
    announce(`Pet ${pet.id} added.`);
  };
  return (
    <ActionDialog title="Add a pet" action="Add" onClose={onClose} onConfirm={add}>
      <Field label="Name">
        <input
          required
          maxLength={255}
          autocomplete="off"
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </Field>
      <Field label="Category id" hint="An integer of up to 64 bits.">
        <input
          required
          inputMode="numeric"
          pattern="\s*-?[0-9]+\s*"
          title="An integer"
          autocomplete="off"
          value={categoryId}
          onInput={({ currentTarget }) => setCategoryId(currentTarget.value)}
        />
      </Field>
      <StatusField value={status} onChange={setStatus} />
    </ActionDialog>
  );
}

function StatusDialog({ pet, onClose, onDone }: PetDialogProps & { pet: Pet }) {
  const [status, setStatus] = useState(pet.status);
  const correct = async () => {
    await request('PUT', `pets/${encodeURIComponent(pet.id)}/status`, { body: { status } });
    onDone();
    announce(`Pet ${pet.id} is now ${status}.`);
  };
  return (
    <ActionDialog
      title={
        <>
          Correct the status of <bdi>{pet.name}</bdi>
        </>
      }
      action="Correct"
      isReady={status !== pet.status}
      onClose={onClose}
      onConfirm={correct}
    >
      <p>
        Pet <span class="figures">{pet.id}</span> is {pet.status}.
      </p>
      <StatusField value={status} onChange={setStatus} />
    </ActionDialog>
  );
}

interface StatusFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function StatusField({ value, onChange }: StatusFieldProps) {
  return (
    <Field label="Status">
      <Select
        options={STATUSES.map((status) => [status, capitalise(status)])}
        value={value}
        onChange={onChange}
      />
    </Field>
  );
}

function capitalise(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
