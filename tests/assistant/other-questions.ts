/** Off-topic requests that visitors might type into the chat. The assistant should not answer them. */
export const OFF_TOPIC_QUESTIONS = `
how do I get red wine out of a couch cushion
who invented the internet
what is the capital of Mongolia
how long do eggs keep in the fridge
is it going to snow in Bergen tonight
what does a litre of milk weigh
how tall is the Eiffel tower
who won the world cup in 1998
what is the best way to cook salmon
how do I fix a dripping tap
when was the French revolution
which planet has the most moons
can dogs eat grapes
how many legs does a lobster have
what is the plot of Hamlet
where do puffins go in winter
how do I knit a scarf
what is the boiling point of ethanol
why is the sea salty
who painted the Scream
how do I remove a splinter
what is the square root of 289
how much sleep does a baby need
do penguins have knees
what rhymes with orange
is Pluto still a planet
how do I change a bicycle tyre
which vitamins are in a carrot
who is the king of Norway
what year did the Titanic sink
how far away is the moon
what is the fastest bird
how do I sharpen a kitchen knife
does aspirin help against a hangover
how deep is the Sognefjord
what is the population of Iceland
which bus goes to the airport
is the pharmacy on the corner open on Sunday
how do I play the ukulele
what are the symptoms of measles
who wrote Peer Gynt
how is cheese made
why do cats purr
what is the offside rule
how do I prune an apple tree
where can I watch the northern lights
what is a haiku
how many strings has a harp
how do volcanoes erupt
who was the first woman in space
what wine goes with lamb
how do I unclog a sink
when does the ferry to Stavanger leave
what is the exchange rate of the yen
transfer ninety euros to my savings account
how high is my credit card limit
has my parcel left the depot
I lost my passport, what now
turn off the lights in the bedroom
play some jazz
set an alarm for half past six
add oat milk to my shopping list
remind me to water the plants
how many calories are in a banana
what is the tyre pressure of a Volvo
find a vegan restaurant nearby
is my flight delayed
how do I say cheers in Finnish
what is the meaning of serendipity
roll two dice
flip a coin
how old is the universe
which gate does my train leave from
do I need a visa for Japan
how do I renew my driving licence
what is the speed of sound
when is the next eclipse
how do I get rid of moths
is it safe to eat raw mushrooms
how many teaspoons are in a cup
who sang Take On Me
how do I tie a bow tie
what is the deepest lake on earth
how often should I water a cactus
what does the stork symbolise
how do I fold a paper crane
which teeth are the wisdom teeth
why do leaves turn red in autumn
hvor høyt er Galdhøpiggen
hvordan baker jeg surdeigsbrød
hvem vant Eurovision i 1985
hvor lenge skal egg koke
hvornår blev Tivoli åbnet
hvordan strikker man en hue
hvor mange ben har en edderkop
hur hög är Kebnekaise
vem skrev Gösta Berlings saga
hur länge ska potatis koka
varför är himlen blå
wie hoch ist die Zugspitze
wer hat die Zauberflöte komponiert
wie lange müssen Nudeln kochen
warum ist der Himmel blau
welche Farbe hat ein Flamingo
wie viele Beine hat eine Spinne
`
  .trim()
  .split('\n');
