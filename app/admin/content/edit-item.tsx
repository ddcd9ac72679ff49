import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formValues } from '../../data/editing.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadError } from '../shell/load-error.tsx';
import { ContentForm } from './content-form.tsx';
import { FormSkeleton } from './form-skeleton.tsx';
import { freshItemQuery } from './fresh-item-query.ts';
import { type ContentScreen, capitalized } from './screen.ts';

export function EditItem({ screen, id }: { screen: ContentScreen; id: string }) {
  const { data: item, error, isPending, refetch } = useQuery(freshItemQuery(screen, id));
  const [readings, setReadings] = useState(0);

  if (isPending) return <FormSkeleton />;
  if (error && !isNoId(error)) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!item) {
    return (
      <EmptyState
        title={`${capitalized(screen.one)} not found`}
        description={`This ${screen.one} does not exist or was deleted.`}
        action={
          <ButtonLink to="/admin/$kind" params={{ kind: screen.path }}>
            Back to {screen.heading}
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
      screen={screen}
      opened={item}
      values={formValues(screen.kind.empty, item)}
      onReload={() => void reload()}
    />
  );
}

/** The address has something else than an id in it (SQLSTATE 22P02). */
function isNoId(error: Error): boolean {
  return 'code' in error && error.code === '22P02';
}
