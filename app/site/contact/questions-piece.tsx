import { type ComponentProps, Suspense, use } from 'react';

type Questions = typeof import('./questions.tsx').default;

let loading: Promise<Questions> | undefined;
let loaded: Questions | undefined;

/** Loads the code of the section. Without it (no network, or a build that is gone) the section stays as the server drew it. */
export function loadQuestions(): Promise<Questions> {
  loading ??= import('./questions.tsx').then(
    (module) => {
      loaded = module.default;
      return loaded;
    },
    () => new Promise<Questions>(() => undefined),
  );
  return loading;
}

/** The section, whose code only pages with questions load. The server draws it when its loader has awaited loadQuestions(). */
export function QuestionsPiece(props: ComponentProps<Questions>) {
  return (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  );
}

function Loaded(props: ComponentProps<Questions>) {
  const Section = loaded ?? use(loadQuestions());
  return <Section {...props} />;
}
