import { useQuery } from '@tanstack/react-query';
import { isInvalidId } from '../../api/error-code.ts';
import { capitalized } from '../../api/places/kind-names.ts';
import { documentQuery } from '../../editing/document.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FormSkeleton } from '../../ui/form/form-skeleton.tsx';
import { readListSearch } from '../../ui/list/list-search.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { itemDocument } from '../editing.ts';
import type { ContentKind } from '../kind.ts';
import { ContentForm } from './content-form.tsx';

interface EditItemProps {
  kind: ContentKind;
  id: string;
  /** True if the form was opened because required fields were missing on publishing. */
  isToBePublished: boolean;
}

export function EditItem({ kind, id, isToBePublished }: EditItemProps) {
  const { data: item, error, isPending, refetch } = useQuery(documentQuery(itemDocument(kind, id)));

  if (isPending) return <FormSkeleton />;
  if (error && !isInvalidId(error)) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!item) {
    return (
      <EmptyState
        title={`${capitalized(kind.singular)} not found`}
        description={`This ${kind.singular} does not exist or was deleted.`}
        action={
          <ButtonLink to="/admin/$kind" params={{ kind: kind.path }} search={readListSearch}>
            Back to {kind.heading}
          </ButtonLink>
        }
      />
    );
  }
  return (
    <ContentForm
      kind={kind}
      openedVersion={item}
      values={{ ...item.content, ...(isToBePublished && { status: 'published' }) }}
      validatesOnMount={isToBePublished}
    />
  );
}
