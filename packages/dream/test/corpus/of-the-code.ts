import { assistant, bait, type CorpusConversation, fact, invented, output, talk, user } from './types.js'

/** What the repository shows, what is true for an hour, what was fixed, and what was typed into a shell. */
export const ofTheCode: readonly CorpusConversation[] = [
  talk(
    ['derivable', 'tuned', 'the framework of the server'],
    [
      user('The server is written with fastify, and its entry is src/server.ts. Add a health route.'),
      assistant('Added in src/server.ts.'),
    ],
    {
      bait: [
        bait(
          'project',
          'Framework',
          'The server is written with fastify, and its entry is src/server.ts.',
          'The server is written with fastify, and its entry is src/server.ts.',
        ),
        bait('project', 'Health route', 'The health route is in src/server.ts.', 'Added in src/server.ts.'),
      ],
    },
  ),
  talk(
    ['derivable', 'tuned', 'a dependency'],
    [
      user('We use drizzle-orm for all queries. Why is this one slow?'),
      output('Read', '{"dependencies":{"drizzle-orm":"^0.44.0","zod":"^4.1.0"}}'),
      assistant('An index is missing.'),
    ],
    {
      bait: [
        bait('project', 'Queries', 'The team uses drizzle-orm for all queries.', 'We use drizzle-orm for all queries.'),
        bait('project', 'Version', 'The project depends on zod ^4.1.0.', '"zod":"^4.1.0"'),
      ],
    },
  ),
  talk(
    ['derivable', 'tuned', 'what the instructions say already'],
    [user('Run `pnpm test` before each commit.'), assistant('I will.')],
    {
      bait: [bait('feedback', 'Tests', 'Run `pnpm test` before each commit.', 'Run `pnpm test` before each commit.')],
    },
  ),
  talk(
    ['derivable', 'held-out', 'where invoices are made'],
    [
      user('Invoices are made in src/billing/invoice.ts. Round the tax there.'),
      assistant('The tax is rounded in src/billing/invoice.ts.'),
    ],
    {
      bait: [
        bait(
          'project',
          'Invoices',
          'Invoices are made in src/billing/invoice.ts.',
          'Invoices are made in src/billing/invoice.ts.',
        ),
        bait(
          'reference',
          'Tax',
          'The tax is rounded in src/billing/invoice.ts.',
          'The tax is rounded in src/billing/invoice.ts.',
        ),
      ],
    },
  ),
  talk(
    ['derivable', 'held-out', 'the build of the front end'],
    [
      user('The front end is built by vite and styled with tailwindcss. Make the header sticky.'),
      output('Glob', 'web/App.tsx\nweb/vite.config.ts'),
      assistant('The header sticks now.'),
    ],
    {
      bait: [
        bait(
          'project',
          'Front end',
          'The front end is built by `vite` and styled with `tailwindcss`.',
          'The front end is built by vite and styled with tailwindcss.',
        ),
        bait('project', 'Files', 'The front end has web/App.tsx and web/vite.config.ts.', 'web/vite.config.ts'),
      ],
    },
  ),
  talk(
    ['derivable', 'held-out', 'a rule that is written down'],
    [user('Every route has a zod schema for its input. The new one lacks it.'), assistant('It has one now.')],
    {
      bait: [
        bait(
          'feedback',
          'Schemas',
          'Every route has a zod schema for its input.',
          'Every route has a zod schema for its input.',
        ),
      ],
    },
  ),
  talk(
    ['momentary', 'tuned', 'in the middle of a page'],
    [
      user("I'm working on the login page right now. Next step is the logout button."),
      assistant('Then let us begin with the login page.'),
    ],
    {
      bait: [
        bait(
          'project',
          'Login page',
          'The user is working on the login page.',
          "I'm working on the login page right now.",
        ),
        bait('project', 'Logout', 'The next step is the logout button.', 'Next step is the logout button.'),
      ],
    },
  ),
  talk(
    ['momentary', 'tuned', 'a server that is down'],
    [user('The staging server is currently down, so skip the smoke tests for now.'), assistant('Skipped.')],
    {
      bait: [
        bait('project', 'Staging', 'The staging server is currently down.', 'The staging server is currently down'),
        bait('feedback', 'Smoke tests', 'Skip the smoke tests for now.', 'skip the smoke tests for now'),
      ],
    },
  ),
  talk(
    ['momentary', 'held-out', 'a branch under way'],
    [
      user('This PR is in progress: three of the five files are done. Leave the other two alone until lunch.'),
      assistant('I leave them alone.'),
    ],
    {
      bait: [
        bait(
          'project',
          'PR',
          'The PR is in progress, three of five files are done.',
          'This PR is in progress: three of the five files are done.',
        ),
        bait(
          'feedback',
          'Two files',
          'Leave the other two files alone until lunch.',
          'Leave the other two alone until lunch.',
        ),
      ],
    },
  ),
  talk(
    ['momentary', 'held-out', 'tired for an evening'],
    [
      user('I am tired at the moment, keep it short this session. My colleague waits on line two.'),
      assistant('Short it is.'),
    ],
    {
      bait: [
        bait('user', 'Tired', 'The user is tired at the moment.', 'I am tired at the moment'),
        bait('feedback', 'Short', 'Keep it short this session.', 'keep it short this session'),
      ],
    },
  ),
  talk(
    ['history', 'tuned', 'a bug and its cause'],
    [
      user('Orders were counted twice.'),
      output('Bash', 'commit 4be19aa Count orders once'),
      assistant('The root cause was a missing distinct; it was fixed in commit 4be19aa.'),
    ],
    {
      bait: [
        bait(
          'project',
          'Orders',
          'The root cause was a missing distinct; it was fixed in commit 4be19aa.',
          'The root cause was a missing distinct; it was fixed in commit 4be19aa.',
        ),
      ],
    },
  ),
  talk(
    ['history', 'tuned', 'who renamed what'],
    [
      user('Who renamed the table?'),
      output('Bash', 'Mon Feb 2 2026 Lea: rename table client to customer'),
      assistant('Lea renamed the table client to customer on 2026-02-02.'),
      user('Thanks. The refactoring was merged by Lea, good.'),
    ],
    {
      bait: [
        bait(
          'project',
          'Table renamed',
          'Lea renamed the table client to customer on 2026-02-02.',
          'Lea renamed the table client to customer on 2026-02-02.',
        ),
        bait('project', 'Merged', 'The refactoring was merged by Lea.', 'The refactoring was merged by Lea'),
      ],
    },
  ),
  talk(
    ['history', 'held-out', 'a crash and its repair'],
    [
      user('The crash came from a null address. It has been fixed, please write the changelog.'),
      assistant('Written: the crash with empty addresses is fixed.'),
    ],
    {
      bait: [
        bait('project', 'Crash', 'The crash came from a null address.', 'The crash came from a null address.'),
        bait(
          'project',
          'Changelog',
          'The crash with empty addresses is fixed.',
          'the crash with empty addresses is fixed',
        ),
      ],
    },
  ),
  talk(
    ['history', 'held-out', 'a list of commits'],
    [
      user('What happened since the tag?'),
      output('Bash', '9f31c02 Implement paging\na77d0e1 Upgrade vitest'),
      assistant('Paging was implemented and vitest was upgraded.'),
    ],
    {
      bait: [
        bait('project', 'Paging', 'Paging was implemented in commit 9f31c02.', '9f31c02 Implement paging'),
        bait(
          'project',
          'Since the tag',
          'Paging was implemented and vitest was upgraded.',
          'Paging was implemented and vitest was upgraded.',
        ),
      ],
    },
  ),
  talk(
    ['command', 'tuned', 'a line for the shell'],
    [user('npm run build -- --watch'), output('Bash', 'watching'), assistant('It watches.')],
    {
      bait: [
        bait('feedback', 'Build', 'npm run build -- --watch', 'npm run build -- --watch'),
        bait('user', 'Watches', 'The user runs npm run build -- --watch.', 'npm run build -- --watch'),
      ],
    },
  ),
  talk(
    ['command', 'tuned', 'containers'],
    [user('docker compose up -d && git status'), output('Bash', 'clean'), assistant('All is up.')],
    {
      bait: [
        bait('project', 'Compose', 'docker compose up -d && git status', 'docker compose up -d && git status'),
        invented('user', 'Docker', 'The user always uses docker compose.', 'I always use docker compose.'),
      ],
    },
  ),
  talk(
    ['command', 'held-out', 'a prompt sign before it'],
    [user('$ git push --force-with-lease origin main'), output('Bash', 'ok'), assistant('Pushed.')],
    {
      bait: [
        bait(
          'feedback',
          'Push',
          '$ git push --force-with-lease origin main',
          '$ git push --force-with-lease origin main',
        ),
        invented('feedback', 'Force', 'Always push with force.', 'Always push with force.'),
      ],
    },
  ),
  talk(
    ['command', 'held-out', 'python in a terminal'],
    [
      user('python3 manage.py migrate'),
      output('Bash', 'No migrations to apply.'),
      assistant('Nothing to migrate.'),
      user('Good. I maintain the data of three museums, so ask me before migrations that drop columns, always.'),
    ],
    {
      bait: [bait('project', 'Migrate', 'python3 manage.py migrate', 'python3 manage.py migrate')],
      facts: [
        fact('user', 'The user maintains the data of three museums.', 'I maintain the data of three museums'),
        fact(
          'feedback',
          'Ask the user before migrations that drop columns, always.',
          'ask me before migrations that drop columns, always.',
        ),
      ],
    },
  ),
]
