import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { editedItemQuery, formValues } from '../../content/editing.ts';
import { type ContentKind, capitalized } from '../../content/kind.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { FormSkeleton } from '../form/form-skeleton.tsx';
import { readListSearch } from '../list/list-search.ts';
import { ContentForm } from './content-form.tsx';

interface EditItemProps {
  kind: ContentKind;
  id: string;
  /** Opened to fill in what was missing when it was to be published. */
  isToBePublished: boolean;
}

export function EditItem({ kind, id, isToBePublished }: EditItemProps) {
  const { data: item, error, isPending, refetch } = useQuery(editedItemQuery(kind, id));
  const [readings, setReadings] = useState(0);

  if (isPending) return <FormSkeleton />;
  if (error && !isNoId(error)) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!item) {
    return (
      <EmptyState
        title={`${capitalized(kind.one)} not found`}
        description={`This ${kind.one} does not exist or was deleted.`}
        action={
          <ButtonLink to="/admin/$kind" params={{ kind: kind.path }} search={readListSearch}>
            Back to {kind.heading}
          </ButtonLink>
        }
      />
    );
  }
  const reload = async () => {
    await refetch();
    setReadings((count) => count + 1);
  };
  return (
    <ContentForm
      key={readings}
      kind={kind}
      opened={item}
      values={{ ...formValues(kind, item), ...(isToBePublished && { status: 'published' }) }}
      isCheckedAtOnce={isToBePublished}
      onReload={() => void reload()}
    />
  );
}

/** Tells whether an address has something else than an id in it (SQLSTATE 22P02). */
function isNoId(error: Error): boolean {
  return 'code' in error && error.code === '22P02';
}
