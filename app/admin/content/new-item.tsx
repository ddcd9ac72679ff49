import { useQuery } from '@tanstack/react-query';
import { formValues } from '../../data/editing.ts';
import { LoadError } from '../shell/load-error.tsx';
import { ContentForm } from './content-form.tsx';
import { FormSkeleton } from './form-skeleton.tsx';
import { freshItemQuery } from './fresh-item-query.ts';
import type { ContentScreen } from './screen.ts';

interface NewItemProps {
  screen: ContentScreen;
  /** Id of the item that the new one starts as a copy of. */
  copyOf: string | undefined;
}

export function NewItem({ screen, copyOf }: NewItemProps) {
  return copyOf ? <Copy screen={screen} id={copyOf} /> : <ContentForm screen={screen} values={screen.kind.empty} />;
}

/** Everything but the slug, which is unique; not public before somebody looked at it. */
function Copy({ screen, id }: { screen: ContentScreen; id: string }) {
  const { data: original, error, isPending, refetch } = useQuery(freshItemQuery(screen, id));
  if (isPending) return <FormSkeleton />;
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!original) return <ContentForm screen={screen} values={screen.kind.empty} />;
  const values = {
    ...formValues(screen.kind.empty, original),
    ...('slug' in original && { slug: '' }),
    [screen.titleColumn]: `${original[screen.titleColumn]} (copy)`,
    status: 'draft',
  };
  return <ContentForm screen={screen} values={values} />;
}
