import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Field } from '../ui/field.tsx';
import { showFirstError } from '../ui/first-error.ts';
import { Form } from '../ui/form.tsx';
import { formatTime } from '../ui/lib/format-time.ts';
import { LoadError } from '../ui/load-error.tsx';
import { Pagination } from '../ui/pagination.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Textarea } from '../ui/textarea.tsx';
import { useMutationWithToasts } from '../ui/use-mutation-with-toasts.ts';
import type { Client } from './clients.ts';
import { addNoteMutation, deleteNoteMutation, noteSchema, notesQuery } from './notes.ts';

interface NotesProps {
  client: Pick<Client, 'id' | 'name'>;
  headingLevel: 2 | 3 | 4;
}

/** Internal notes on a client. */
export function Notes({ client, headingLevel }: NotesProps) {
  const Heading = `h${headingLevel}` as const;
  const [page, setPage] = useState(1);
  const { data, error, isPending, refetch } = useQuery(notesQuery(client.id, page));
  return (
    <section aria-label={`Notes, ${client.name}`}>
      <Card className="grid grid-cols-1 gap-4 p-5">
        <div className="flex flex-wrap items-baseline justify-between gap-3">
          <Heading className={headingLevel === 4 ? 'font-medium' : 'text-lg font-semibold'}>Notes</Heading>
          <p className="text-sm text-muted">Only visible to our team</p>
        </div>
        <NoteForm client={client} />
        {isPending && <Skeleton className="h-16 rounded-md" />}
        {error && <LoadError error={error} onRetry={() => void refetch()} />}
        {data && data.items.length > 0 && (
          <ul className="grid grid-cols-1 divide-y divide-line">
            {data.items.map((note) => (
              <NoteRow key={note.id} clientId={client.id} note={note} />
            ))}
          </ul>
        )}
        <Pagination page={page} count={data?.count} onPageChange={setPage} />
      </Card>
    </section>
  );
}

function NoteForm({ client }: Pick<NotesProps, 'client'>) {
  const { register, handleSubmit, formState, reset } = useForm({
    resolver: zodResolver(noteSchema),
    defaultValues: { text: '' },
  });
  const add = useMutationWithToasts(addNoteMutation, { success: 'Note saved', failure: 'Could not save the note' });
  return (
    <Form
      aria-label={`Add note: ${client.name}`}
      className="grid grid-cols-1 gap-3"
      savesByKeyboard
      onSubmit={handleSubmit(
        ({ text }) => add.mutate({ clientId: client.id, text }, { onSuccess: () => reset() }),
        showFirstError,
      )}
    >
      <Field label={`New note on ${client.name}`} labelHidden error={formState.errors.text?.message}>
        <Textarea rows={2} {...register('text')} />
      </Field>
      <Button type="submit" variant="secondary" size="sm" className="justify-self-start" loading={add.isPending}>
        Add note
      </Button>
    </Form>
  );
}

interface NoteRowProps {
  clientId: string;
  note: { id: string; text: string; written_by: string; created_at: string; may_delete: boolean };
}

function NoteRow({ clientId, note: { id, text, written_by, created_at, may_delete } }: NoteRowProps) {
  const remove = useMutationWithToasts(deleteNoteMutation, {
    success: 'Note deleted',
    failure: 'Could not delete the note',
  });
  const createdAt = formatTime(created_at);
  return (
    <li className="grid grid-cols-1 gap-1 py-3 [overflow-wrap:anywhere]">
      <p className="measure whitespace-pre-line">{text}</p>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm text-muted">{[written_by, createdAt].filter(Boolean).join(' · ')}</p>
        {may_delete && (
          <Button
            variant="ghost"
            size="sm"
            loading={remove.isPending}
            aria-label={`Delete the note from ${createdAt}`}
            onClick={() => remove.mutate({ clientId, id })}
          >
            Delete
          </Button>
        )}
      </div>
    </li>
  );
}
