/** A conversation in a language, a good summary of it, and answers that are none. */
export interface Spoken {
  readonly language: string
  /** What the person says, and what is answered behind the calls. */
  readonly said: readonly (readonly [prompt: string, answer: string])[]
  readonly titles: readonly string[]
  readonly bodies: readonly string[]
  readonly refusal: string
  readonly question: string
  readonly goesOn: string
}

const GERMAN: Spoken = {
  language: 'German',
  said: [
    [
      'Der Server soll auf Port 9090 lauschen statt auf 8080. Bitte ändere src/server.ts entsprechend.',
      'Erledigt: src/server.ts liest den Port jetzt aus PORT und nimmt sonst 9090. Der Test in test/server.test.ts scheitert noch an der Wartezeit.',
    ],
    [
      'Erhöhe die Wartezeit im Test auf fünf Sekunden und fasse die Konfiguration in config/default.json nicht an.',
      'Die Wartezeit beträgt nun 5000 ms, alle Tests laufen durch. Die Konfiguration blieb unberührt.',
    ],
  ],
  titles: [
    'Hauptanliegen',
    'Technische Begriffe',
    'Dateien und Code',
    'Fehler und Lösungen',
    'Problemlösung',
    'Alle Nachrichten des Nutzers',
    'Offene Aufgaben',
    'Aktuelle Arbeit',
    'Nächster Schritt',
  ],
  bodies: [
    'Der Server soll auf Port 9090 statt 8080 lauschen; die Konfiguration bleibt, wie sie ist.',
    'Umgebungsvariable PORT, Wartezeit in Tests.',
    'src/server.ts liest PORT, sonst 9090; test/server.test.ts wartet 5000 ms.',
    'Der Test scheiterte an der Wartezeit, sie wurde erhöht.',
    'Gelöst, alle Tests laufen durch.',
    '„Der Server soll auf Port 9090 lauschen“, dann „Erhöhe die Wartezeit im Test auf fünf Sekunden“.',
    'Keine.',
    'Zuletzt wurde die Wartezeit im Test geändert.',
    'Nichts Weiteres wurde verlangt.',
  ],
  refusal: 'Dabei kann ich leider nicht helfen.',
  question: 'Soll ich die Wartezeit auch in den anderen Tests erhöhen?',
  goesOn: 'Gut, dann sehe ich mir als Nächstes den Test an und starte ihn noch einmal.',
}

const SPANISH: Spoken = {
  language: 'Spanish',
  said: [
    [
      'El servidor debe escuchar en el puerto 9090 en lugar del 8080. Cambia src/server.ts, por favor.',
      'Hecho: src/server.ts lee el puerto de PORT y usa 9090 por defecto. La prueba test/server.test.ts todavía falla por el tiempo de espera.',
    ],
    [
      'Sube el tiempo de espera de la prueba a cinco segundos y no toques config/default.json.',
      'El tiempo de espera es ahora de 5000 ms y todas las pruebas pasan. La configuración quedó igual.',
    ],
  ],
  titles: [
    'Petición principal',
    'Conceptos técnicos',
    'Archivos y código',
    'Errores y arreglos',
    'Resolución de problemas',
    'Todos los mensajes del usuario',
    'Tareas pendientes',
    'Trabajo actual',
    'Siguiente paso',
  ],
  bodies: [
    'El servidor debe escuchar en el puerto 9090 en lugar del 8080, sin tocar la configuración.',
    'Variable de entorno PORT, tiempo de espera de las pruebas.',
    'src/server.ts lee PORT y usa 9090 por defecto; test/server.test.ts espera 5000 ms.',
    'La prueba fallaba por el tiempo de espera y se subió.',
    'Resuelto: todas las pruebas pasan.',
    '«El servidor debe escuchar en el puerto 9090» y «Sube el tiempo de espera de la prueba a cinco segundos».',
    'Ninguna.',
    'Lo último fue cambiar el tiempo de espera.',
    'No se pidió nada más.',
  ],
  refusal: 'Lo siento, no puedo ayudarte con eso.',
  question: '¿Quieres que suba también el tiempo de espera de las otras pruebas?',
  goesOn: 'Perfecto, ahora reviso la prueba y la ejecuto otra vez.',
}

const FRENCH: Spoken = {
  language: 'French',
  said: [
    [
      'Le serveur doit écouter sur le port 9090 au lieu de 8080. Modifie src/server.ts.',
      'Fait : src/server.ts lit le port dans PORT et prend 9090 par défaut. Le test test/server.test.ts échoue encore à cause du délai.',
    ],
    [
      'Augmente le délai du test à cinq secondes et ne touche pas à config/default.json.',
      'Le délai est maintenant de 5000 ms et tous les tests passent. La configuration est restée intacte.',
    ],
  ],
  titles: [
    'Demande principale',
    'Notions techniques',
    'Fichiers et code',
    'Erreurs et corrections',
    'Résolution des problèmes',
    'Tous les messages de l’utilisateur',
    'Tâches en attente',
    'Travail en cours',
    'Prochaine étape',
  ],
  bodies: [
    'Le serveur doit écouter sur le port 9090 au lieu de 8080, sans toucher à la configuration.',
    'Variable PORT, délai des tests.',
    'src/server.ts lit PORT et prend 9090 par défaut ; test/server.test.ts attend 5000 ms.',
    'Le test échouait à cause du délai, qui a été augmenté.',
    'Résolu : tous les tests passent.',
    '« Le serveur doit écouter sur le port 9090 », puis « Augmente le délai du test à cinq secondes ».',
    'Aucune.',
    'En dernier, le délai du test a été modifié.',
    'Rien d’autre n’a été demandé.',
  ],
  refusal: 'Désolé, je ne peux pas vous aider avec cela.',
  question: 'Dois-je aussi augmenter le délai des autres tests ?',
  goesOn: 'Très bien, je regarde maintenant le test et je le relance.',
}

const JAPANESE: Spoken = {
  language: 'Japanese',
  said: [
    [
      'サーバーのポートを8080から9090に変更してください。src/server.tsを直してください。',
      '完了しました。src/server.tsは環境変数PORTを読み、なければ9090を使います。test/server.test.tsはまだ待ち時間で失敗します。',
    ],
    [
      'テストの待ち時間を五秒に増やして、config/default.jsonは触らないでください。',
      '待ち時間を5000 msにして、すべてのテストが通りました。設定ファイルはそのままです。',
    ],
  ],
  titles: [
    '主な要求',
    '技術的な概念',
    'ファイルとコード',
    'エラーと修正',
    '問題の解決',
    'ユーザーの全メッセージ',
    '残りの作業',
    '現在の作業',
    '次のステップ',
  ],
  bodies: [
    'サーバーのポートを8080から9090に変更し、設定ファイルは触らない。',
    '環境変数PORT、テストの待ち時間。',
    'src/server.tsはPORTを読み、なければ9090を使う。test/server.test.tsは5000 ms待つ。',
    'テストは待ち時間で失敗していたので、待ち時間を増やした。',
    '解決済み。すべてのテストが通った。',
    '「ポートを8080から9090に変更」「テストの待ち時間を五秒に増やして」。',
    'なし。',
    '最後にテストの待ち時間を変更した。',
    'ほかの依頼はない。',
  ],
  refusal: '申し訳ありませんが、お手伝いできません。',
  question: 'ほかのテストの待ち時間も増やしますか？',
  goesOn: 'では、次にテストを確認して、もう一度実行します。',
}

const CHINESE: Spoken = {
  language: 'Chinese',
  said: [
    [
      '服务器应该监听9090端口而不是8080端口，请修改src/server.ts。',
      '完成了：src/server.ts现在读取环境变量PORT，默认使用9090端口。test/server.test.ts因为超时仍然失败。',
    ],
    [
      '把测试的超时时间增加到五秒，不要修改config/default.json。',
      '超时时间现在是5000 ms，所有测试都通过了，配置文件没有改动。',
    ],
  ],
  titles: [
    '主要请求',
    '技术概念',
    '文件和代码',
    '错误与修复',
    '问题解决',
    '所有用户消息',
    '待办任务',
    '当前工作',
    '下一步',
  ],
  bodies: [
    '服务器应该监听9090端口而不是8080端口，不要修改配置文件。',
    '环境变量PORT，测试的超时时间。',
    'src/server.ts读取PORT，默认使用9090端口；test/server.test.ts等待5000 ms。',
    '测试因为超时失败，已经增加超时时间。',
    '已解决，所有测试都通过了。',
    '“服务器应该监听9090端口”，“把测试的超时时间增加到五秒”。',
    '没有。',
    '最后修改了测试的超时时间。',
    '没有其他要求。',
  ],
  refusal: '抱歉，我无法帮助您完成这个请求。',
  question: '要不要把其他测试的超时时间也增加？',
  goesOn: '好的，接下来我看看测试，再运行一次。',
}

const RUSSIAN: Spoken = {
  language: 'Russian',
  said: [
    [
      'Сервер должен слушать порт 9090 вместо 8080. Измени, пожалуйста, src/server.ts.',
      'Готово: src/server.ts читает порт из PORT, а по умолчанию берёт 9090. Тест test/server.test.ts пока падает из-за времени ожидания.',
    ],
    [
      'Увеличь время ожидания в тесте до пяти секунд и не трогай config/default.json.',
      'Время ожидания теперь 5000 ms, все тесты проходят. Настройки остались прежними.',
    ],
  ],
  titles: [
    'Основная просьба',
    'Технические понятия',
    'Файлы и код',
    'Ошибки и исправления',
    'Решение проблем',
    'Все сообщения пользователя',
    'Незавершённые задачи',
    'Текущая работа',
    'Следующий шаг',
  ],
  bodies: [
    'Сервер должен слушать порт 9090 вместо 8080, настройки трогать нельзя.',
    'Переменная PORT, время ожидания в тестах.',
    'src/server.ts читает PORT, по умолчанию берёт 9090; test/server.test.ts ждёт 5000 ms.',
    'Тест падал из-за времени ожидания, его увеличили.',
    'Решено: все тесты проходят.',
    '«Сервер должен слушать порт 9090», затем «Увеличь время ожидания в тесте до пяти секунд».',
    'Нет.',
    'В последний раз изменили время ожидания в тесте.',
    'Больше ничего не просили.',
  ],
  refusal: 'К сожалению, я не могу с этим помочь.',
  question: 'Увеличить время ожидания и в других тестах?',
  goesOn: 'Хорошо, теперь посмотрю на тест и запущу его ещё раз.',
}

const ENGLISH: Spoken = {
  language: 'English',
  said: [
    [
      'The server should listen on port 9090 instead of 8080. Please change src/server.ts.',
      'Done: src/server.ts reads the port from PORT and takes 9090 otherwise. The test in test/server.test.ts still fails because of its timeout.',
    ],
    [
      'Raise the timeout of the test to five seconds, and leave config/default.json alone.',
      'The timeout is 5000 ms now and all tests pass. The configuration was left as it is.',
    ],
  ],
  titles: [
    'Primary request and intent',
    'Key technical concepts',
    'Files and code',
    'Errors and fixes',
    'Problem solving',
    'All user messages',
    'Pending tasks',
    'Current work',
    'Next step',
  ],
  bodies: [
    'The server should listen on port 9090 instead of 8080, and the configuration is left alone.',
    'The variable PORT, timeouts of tests.',
    'src/server.ts reads PORT and takes 9090 otherwise; test/server.test.ts waits 5000 ms.',
    'The test failed because of its timeout, which was raised.',
    'Solved: all tests pass.',
    '"The server should listen on port 9090", then "Raise the timeout of the test to five seconds".',
    'None.',
    'The timeout of the test was changed last.',
    'Nothing else was asked for.',
  ],
  refusal: 'I’m sorry, but I can’t help with that.',
  question: 'Should I raise the timeout of the other tests as well?',
  goesOn: 'Good, next I look at the test and run it once more.',
}

export const spoken: readonly Spoken[] = [ENGLISH, GERMAN, SPANISH, FRENCH, JAPANESE, CHINESE, RUSSIAN]
export const english = ENGLISH

const ROMAN = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX']
const HAN = '一二三四五六七八九'
const underlined = (title: string) => `${title}\n${'='.repeat(Math.max(3, title.length))}`

/** Ways to write a heading: by its title and its number from 0 on. */
export const headings: Readonly<Record<string, (title: string, index: number) => string>> = {
  'as asked': (title, index) => `${index + 1}. ${title}`,
  'with the word optional': (title, index) => `${index + 1}. ${index === 8 ? 'Optional ' : ''}${title}`,
  'numbers and brackets': (title, index) => `${index + 1}) ${title}:`,
  'numbers in brackets': (title, index) => `(${index + 1}) ${title}`,
  'marked and numbered': (title, index) => `## ${index + 1}. ${title}`,
  'bold and numbered': (title, index) => `**${index + 1}. ${title}**`,
  'marked alone': (title) => `### ${title}`,
  'bold alone': (title) => `**${title}**`,
  'with a colon': (title) => `${title}:`,
  underlined,
  'in brackets': (title) => `【${title}】`,
  'between equal signs': (title) => `== ${title} ==`,
  'Roman numbers': (title, index) => `${ROMAN[index]}. ${title}`,
  'Han numbers': (title, index) => `${HAN[index]}、${title}`,
  'a bullet': (title) => `■ ${title}`,
  capitals: (title) => title.toUpperCase(),
}

/** The summary of a conversation with headings of a kind; none where there is no kind. */
export function summaryIn({ titles, bodies }: Spoken, heading?: (title: string, index: number) => string): string {
  return bodies
    .map((body, index) => (heading ? `${heading(titles[index] as string, index)}\n${body}` : body))
    .join(heading ? '\n\n' : ' ')
}
