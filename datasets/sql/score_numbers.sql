-- What the grades of each judge come to, pooled over answers: means of profiles.scores by judge, metric and state of the case.
CREATE OR REPLACE VIEW score_numbers AS
SELECT suite, edition, system_id, split, coalesce(state, 'approved') AS state, score.judge_id AS judge_id, score.metric AS metric,
       avg(score.value) AS value, count(DISTINCT case_id) AS n_cases, count(*) AS n_answers
FROM (SELECT suite, edition, system_id, split, state, case_id, unnest(scores) AS score FROM profiles WHERE is_scored)
GROUP BY ALL;
