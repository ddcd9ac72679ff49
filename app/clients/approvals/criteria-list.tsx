import { criterionSentences, parseCriteria } from './criteria.ts';

/** Renders each criterion of a version as a sentence. */
export function CriteriaList({ text }: { text: string }) {
  return (
    <div className="grid grid-cols-1 gap-2">
      <p>A meeting counts if:</p>
      <ul className="measure grid list-disc gap-1 pl-5 [overflow-wrap:anywhere]">
        {criterionSentences(parseCriteria(text)).map(({ key, sentence }) => (
          <li key={key}>{sentence}</li>
        ))}
      </ul>
    </div>
  );
}
