const CHAPTERS = [
  {
    year: '2021',
    title: 'One inbox, four hundred threads',
    text: 'It began with reading. A client asked why nobody answered, so we read every message they had sent in a year, aloud, in one room. By lunch the problem was obvious, and it was not the subject lines.',
  },
  {
    year: '2022',
    title: 'Plumbing before poetry',
    text: 'Half of the messages never arrived. We learned domains, keys and reputation the slow way, wrote down what held, and made it the first week of every project since.',
  },
  {
    year: '2023',
    title: 'Machines that step aside',
    text: 'Models made drafting cheap, and everybody sent more. We sent less: machines to find the moment and prepare the words, people to decide. When someone answers, the machine stops.',
  },
  {
    year: 'Now',
    title: 'Built to be handed over',
    text: 'Every system runs in accounts that the client owns, with three documents and a rehearsal. Being easy to leave has turned out to be a good reason to stay.',
  },
];

/** Story of how the studio came to work the way it does. */
export function Story() {
  return (
    <section aria-labelledby="story-heading" className="border-y border-line bg-surface py-[clamp(3.5rem,7vw,7rem)]">
      <div className="page-grid grid gap-x-12 gap-y-10 lg:grid-cols-12">
        <h2 id="story-heading" className="text-display-3 lg:sticky lg:top-28 lg:col-span-3 lg:self-start">
          Our story
        </h2>
        <ol className="grid gap-12 lg:col-span-9">
          {CHAPTERS.map(({ year, title, text }) => (
            <li key={year} className="grid gap-x-8 gap-y-3 sm:grid-cols-[5rem_1fr]">
              <p className="pt-1.5 font-mono text-label text-accent">{year}</p>
              <div className="grid gap-3">
                <h3 className="text-display-3">{title}</h3>
                <p className="measure text-lead text-muted">{text}</p>
              </div>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
