import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { Copy, ExternalLink } from 'lucide-react';
import { useRef } from 'react';
import { useForm } from 'react-hook-form';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { showFirstError } from '../../ui/first-error.ts';
import { Form } from '../../ui/form.tsx';
import { Input } from '../../ui/input.tsx';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { copyLink } from './copy-link.ts';
import { createPreviewLinkMutation, newPreviewSchema, openReleasesQuery } from './preview-links.ts';

const DURATIONS = [
  [1, '1 hour'],
  [24, '1 day'],
  [72, '3 days'],
  [168, '7 days'],
  [336, '14 days'],
] as const;

/** Creates a link to one item or to the whole site, and shows it. */
export function LinkForm({ item }: { item?: { kind: string; id: string } }) {
  const releases = useQuery(openReleasesQuery).data ?? [];
  const { register, handleSubmit, watch, formState } = useForm({
    resolver: zodResolver(newPreviewSchema),
    defaultValues: { shows: item ? 'now' : 'drafts', date: '', withDrafts: false, release: '', hours: 24 },
  });
  const create = useMutationWithToasts(createPreviewLinkMutation(item), {
    failure: 'Could not create the preview link',
  });
  const { errors } = formState;
  const shows = watch('shows');
  return (
    <div className="grid grid-cols-1 gap-5">
      <Form
        onSubmit={(event) => {
          // In React's tree this dialog is inside the item's form, which must not be submitted.
          event.stopPropagation();
          return handleSubmit((values) => create.mutate(values), showFirstError)(event);
        }}
        className={clsx(
          'grid grid-cols-1 items-start gap-5',
          !item && (shows === 'drafts' ? 'lg:grid-cols-[minmax(0,1fr)_10rem_auto]' : 'lg:grid-cols-2'),
        )}
      >
        <Field label={item ? 'Other pages' : 'Preview of'}>
          <Select data-initial-focus {...register('shows')}>
            {item ? (
              <option value="now">The current site</option>
            ) : (
              <option value="drafts">All drafts and scheduled content</option>
            )}
            <option value="date">The site on a future date</option>
            {releases.length > 0 && <option value="release">With a release</option>}
          </Select>
        </Field>
        {shows === 'date' && (
          <Field
            label="Date"
            help="Shows the site as it will be on this date, with scheduled posts and releases."
            error={errors.date?.message}
          >
            <Input type="datetime-local" {...register('date')} />
          </Field>
        )}
        {shows === 'release' && (
          <Field label="Release" error={errors.release?.message}>
            <Select {...register('release')}>
              <option value="">Choose a release</option>
              {releases.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
        )}
        <Field label="Valid for">
          <Select {...register('hours')}>
            {DURATIONS.map(([hours, label]) => (
              <option key={hours} value={hours}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        {!item && shows !== 'drafts' && (
          <Switch label="Include all drafts" className="min-h-11 self-end" {...register('withDrafts')} />
        )}
        <div className={clsx(!item && (shows === 'drafts' ? 'self-end' : 'lg:col-span-2'))}>
          <Button type="submit" loading={create.isPending}>
            Create link
          </Button>
        </div>
      </Form>
      {create.data && <NewLink key={create.data} url={create.data} />}
    </div>
  );
}

function NewLink({ url }: { url: string }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="grid grid-cols-1 gap-3 rounded-md border border-line bg-sunken p-4">
      <Field label="Preview link" help="Anyone with the link can see the preview until it expires or you revoke it.">
        <Input
          ref={input}
          readOnly
          autoFocus
          value={url}
          onFocus={() => input.current?.select()}
          className="font-mono text-sm"
        />
      </Field>
      <div className="flex flex-wrap gap-3">
        <Button size="sm" onClick={() => copyLink(url)}>
          <Copy aria-hidden="true" />
          Copy link
        </Button>
        <a href={url} target="_blank" rel="noopener" className={buttonClass({ variant: 'secondary', size: 'sm' })}>
          <ExternalLink aria-hidden="true" />
          Open
        </a>
      </div>
    </div>
  );
}
