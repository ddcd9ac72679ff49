import { useQuery } from '@tanstack/react-query';
import { documentQuery } from '../../editing/document.ts';
import { FormSkeleton } from '../../ui/form/form-skeleton.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { itemDocument } from '../editing.ts';
import type { ContentKind } from '../kind.ts';
import { emptyValues } from '../schema-fields.ts';
import { ContentForm } from './content-form.tsx';

interface NewItemProps {
  kind: ContentKind;
  /** Id of the item to duplicate. */
  copyOf: string | undefined;
  /** Initial title. */
  title: string | undefined;
}

export function NewItem({ kind, copyOf, title }: NewItemProps) {
  if (copyOf) return <Copy kind={kind} id={copyOf} />;
  const empty = emptyValues(kind.schema);
  return <ContentForm kind={kind} values={title ? { ...empty, [kind.titleColumn]: title } : empty} />;
}

/** Form for a copy of an item. The slug is left empty because it must be unique, and the copy is a draft. */
function Copy({ kind, id }: { kind: ContentKind; id: string }) {
  const { data: original, error, isPending, refetch } = useQuery(documentQuery(itemDocument(kind, id)));
  if (isPending) return <FormSkeleton />;
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!original) return <ContentForm kind={kind} values={emptyValues(kind.schema)} />;
  const values = {
    ...original.content,
    ...('slug' in original.content && { slug: '' }),
    [kind.titleColumn]: `${original.content[kind.titleColumn]} (copy)`,
    status: 'draft',
  };
  return <ContentForm kind={kind} values={values} />;
}
